/** For the login page of a customer of the hosted API. */
import {
  type LoginSource,
  parseCheckOutcome,
  parseIssueOutcome,
  requestJson,
} from "../../client/login-source.ts";

/**
 * Uses the customer's own endpoints `{base}/qr` and `{base}/check`. The API notifies the customer's server through a
 * webhook.
 * @param options.events whether the customer also has `{base}/events`, as a site with `createHostedLogin` does. If
 * false, the page only polls
 */
export function hostedSource(base = "/api/svc", { events = false } = {}): LoginSource {
  return {
    provider: "hosted",
    issue: (sid) =>
      requestJson(`${base}/qr?${new URLSearchParams(sid === null ? {} : { sid })}`, parseIssueOutcome),
    check: (sid) => requestJson(`${base}/check?${new URLSearchParams({ sid })}`, parseCheckOutcome),
    eventsUrl: (sid) => (events ? `${base}/events?${new URLSearchParams({ sid })}` : null),
  };
}
