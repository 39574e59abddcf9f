import type { HeaderSettings } from "../http/security-headers.ts";

/** How errors are written: `{"error":{"code","message","details"}}`, a line of text, or `{"error":"<message>"}`. */
export type ErrorForm = "body" | "text" | "message";

/** The kind of response at a path, as far as a refusal depends on it. */
export type PathForm = {
  /** Always this form, for programs. If absent, browsers get a page. */
  errors?: ErrorForm;
  /** Wallets post here from any origin. */
  cors?: boolean;
};

export type GateSettings = HeaderSettings & {
  /** The public origin. An absolute-form target has to name this host, or the address of the connection. */
  origin: URL;
  /** The number of trusted proxies in front, whose `X-Forwarded-For` is used. */
  trustedProxies: number;
  /** @param path decoded, or as it was sent if it cannot be decoded */
  formOf: (path: string) => PathForm;
};
