/** The browser's side of a hosted login: what `@svc/login/hosted/client` exports. */
import { type LoginSource, readCheck, readIssue, requestJson } from "../../client/login-source.ts";

/**
 * Codes and statuses of a hosted login, at the customer's own endpoints `{base}/qr` and `{base}/check`. The server is
 * notified by webhook.
 * @param options.events the customer also has `{base}/events`, as a site of `createHostedLogin` has. Without it the
 *   page only polls
 */
export function hostedSource(base = "/api/svc", { events = false } = {}): LoginSource {
  return {
    provider: "hosted",
    issue: (sid) => requestJson(`${base}/qr?${new URLSearchParams(sid === null ? {} : { sid })}`, readIssue),
    check: (sid) => requestJson(`${base}/check?${new URLSearchParams({ sid })}`, readCheck),
    eventsUrl: (sid) => (events ? `${base}/events?${new URLSearchParams({ sid })}` : null),
  };
}
