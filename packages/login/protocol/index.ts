/** Runs in any JavaScript runtime. docs/protocol.md defines these formats and numbers. */
export * from "./challenge.ts";
export * from "./errors.ts";
export * from "./fingerprint-words.ts";
export type {
  /** @deprecated `CodeDescription` */
  CodeDescription as AskedAnswer,
} from "./messages.ts";
export * from "./messages.ts";
export * from "./numbers.ts";
export {
  /** @deprecated `DEVICE_INFO_LIMIT_BYTES` */
  DEVICE_INFO_LIMIT_BYTES as DEVICE_INFO_KEPT_BYTES,
  /** @deprecated `LOGIN_EVENT_RETENTION_SECONDS` */
  LOGIN_EVENT_RETENTION_SECONDS as LOGIN_EVENT_KEPT_SECONDS,
  /** @deprecated `LOGIN_SESSION_RETENTION_SECONDS` */
  LOGIN_SESSION_RETENTION_SECONDS as LOGIN_SESSION_KEPT_SECONDS,
  /** @deprecated `RECOVERY_RETENTION_SECONDS` */
  RECOVERY_RETENTION_SECONDS as RECOVERY_KEPT_SECONDS,
  /** @deprecated `USER_AGENT_LIMIT_BYTES` */
  USER_AGENT_LIMIT_BYTES as USER_AGENT_KEPT_BYTES,
} from "./numbers.ts";
export * from "./paths.ts";
export * from "./qr-payload.ts";
