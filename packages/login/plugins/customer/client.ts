/** The browser's side of a hosted login: what `@svc/login/hosted/client` exports. */
import { askFor, type LoginSource, readCheck, readIssue } from "../../client/login-source.ts";

/**
 * Codes and statuses of a hosted login, at the customer's own endpoints `{base}/qr` and `{base}/check`. The server
 * receives events by webhook, and the page polls.
 */
export function hostedSource(base = "/api/svc"): LoginSource {
  return {
    provider: "hosted",
    issue: (sid) => askFor(`${base}/qr?${new URLSearchParams(sid === null ? {} : { sid })}`, readIssue),
    check: (sid) => askFor(`${base}/check?${new URLSearchParams({ sid })}`, readCheck),
    eventsUrl: () => null,
  };
}
