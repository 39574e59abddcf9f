/** The browser's side of a hosted login. These are the exports of `@svc/login/hosted/client`. */
import { type LoginSource, readCheck, readIssue, requestJson } from "../../client/login-source.ts";

/**
 * Returns a source of codes and statuses for a hosted login, from the customer's own endpoints `{base}/qr` and
 * `{base}/check`. A webhook notifies the customer's server.
 * @param options.events whether the customer also has `{base}/events`, as a site with `createHostedLogin` does.
 * Otherwise, the page only polls
 */
export function hostedSource(base = "/api/svc", { events = false } = {}): LoginSource {
  return {
    provider: "hosted",
    issue: (sid) => requestJson(`${base}/qr?${new URLSearchParams(sid === null ? {} : { sid })}`, readIssue),
    check: (sid) => requestJson(`${base}/check?${new URLSearchParams({ sid })}`, readCheck),
    eventsUrl: (sid) => (events ? `${base}/events?${new URLSearchParams({ sid })}` : null),
  };
}
