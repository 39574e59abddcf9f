import { refusal } from "../protocol/errors.ts";
import type { SentHeaders } from "../server/sent-headers.ts";

/** What handlers read of a web request. A `Request` is one, and what the server hands them in front of the framework. */
export type WebRequest = Pick<Request, "method" | "url" | "signal"> & {
  headers: SentHeaders;
  body: AsyncIterable<Uint8Array> | null;
};

/**
 * Refuses a change that another site's page requests with a signed-in user's cookie. The cookie's SameSite=Lax is the
 * first defence, this the second.
 * @throws {Refusal} 403 when the request does not come from a page of the site
 */
export function assertSameOrigin({ headers }: WebRequest, site: URL): void {
  const origin = headers.get("origin");
  const from = headers.get("sec-fetch-site") ?? "none";
  const ours = origin === null ? from === "same-origin" || from === "none" : origin === site.origin;
  if (!ours) throw refusal("forbidden", "This can only be asked for by a page of this site.");
}
