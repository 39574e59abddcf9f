import type { HeaderSettings } from "../http/security-headers.ts";

/** `body`: `{"error":{"code","message","details"}}`. `text`: a line of text. `message`: `{"error":"<message>"}`. */
export type ErrorFormat = "body" | "text" | "message";

export type RefusalFormat = {
  /** If undefined, browsers get a page, and programs get `body`. */
  errors?: ErrorFormat;
  /** Wallets post to this path from any origin. */
  cors?: boolean;
};

export type GateSettings = HeaderSettings & {
  /** A target in absolute form must contain the origin's host, or the connection's IP address. */
  origin: URL;
  /** Each proxy adds an address to `X-Forwarded-For`. */
  trustedProxies: number;
  /** @param path the decoded path, or the original one if it cannot be decoded */
  refusalFormatOf: (path: string) => RefusalFormat;
};
