/** The formats and numbers of docs/protocol.md. Runs anywhere. */
export * from "./challenge.ts";
export * from "./errors.ts";
export * from "./fingerprint-words.ts";
export * from "./messages.ts";
export * from "./numbers.ts";
export * from "./paths.ts";
export * from "./qr-payload.ts";
