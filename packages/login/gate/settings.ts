import type { HeaderSettings } from "../http/security-headers.ts";

/** The format of errors: `{"error":{"code","message","details"}}`, a line of text, or `{"error":"<message>"}`. */
export type ErrorForm = "body" | "text" | "message";

/** The format of the refusals at a path. */
export type RefusalFormat = {
  /** The format of errors for programs. If absent, browsers get a page instead. */
  errors?: ErrorForm;
  /** Wallets post here from any origin. */
  cors?: boolean;
};

export type GateSettings = HeaderSettings & {
  /** The public origin. An absolute-form target must contain this host, or the IP address of the connection. */
  origin: URL;
  /** The number of trusted proxies in front of the server, which set `X-Forwarded-For`. */
  trustedProxies: number;
  /** @param path the decoded path, or the path as it was sent if it cannot be decoded */
  refusalFormatOf: (path: string) => RefusalFormat;
};
