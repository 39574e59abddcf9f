import type { HeaderSettings } from "../http/security-headers.ts";

/**
 * The format in which errors are rendered. `body`: `{"error":{"code","message","details"}}`. `text`: a line of text.
 * `message`: `{"error":"<message>"}`.
 */
export type ErrorFormat = "body" | "text" | "message";

/** Describes how requests to a path are refused. */
export type RefusalFormat = {
  /** The format of errors. If undefined, browsers get a page, and programs get `body`. */
  errors?: ErrorFormat;
  /** Whether wallets post to this path from any origin. */
  cors?: boolean;
};

export type GateSettings = HeaderSettings & {
  /** The public origin. A target in absolute form must contain the origin's host, or the connection's IP address. */
  origin: URL;
  /** The number of trusted proxies in front of the server. Each proxy adds an address to `X-Forwarded-For`. */
  trustedProxies: number;
  /** @param path the decoded path, or the original one if it cannot be decoded */
  refusalFormatOf: (path: string) => RefusalFormat;
};
