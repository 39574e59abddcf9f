import type { SentHeaders } from "#lib/login/server/sent-headers.ts";

/** What handlers read of a web request. A `Request` is one, and what the server hands them in front of the framework. */
export type WebRequest = Pick<Request, "method" | "url" | "signal"> & {
  headers: SentHeaders;
  body: AsyncIterable<Uint8Array> | null;
};
