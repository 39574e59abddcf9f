/** The browser's side of a hosted login: what `@svc/login/hosted/client` exports. */
import { fetchJson } from "../client/fetch-json.ts";
import { type LoginSource, readCheck, readIssue } from "../client/login-source.ts";

/**
 * Codes and statuses of a hosted login, at the customer's own endpoints `{base}/qr` and `{base}/check`. The server
 * hears by webhook, the page by polling.
 */
export function hostedSource(base = "/api/svc"): LoginSource {
  return {
    provider: "hosted",
    async issue(sid) {
      const fetched = await fetchJson(`${base}/qr?${new URLSearchParams(sid === null ? {} : { sid })}`);
      return fetched.kind === "ok" ? readIssue(fetched.body) : fetched;
    },
    async check(sid) {
      const fetched = await fetchJson(`${base}/check?${new URLSearchParams({ sid })}`);
      return fetched.kind === "ok" ? readCheck(fetched.body) : fetched;
    },
    eventsUrl: () => null,
  };
}
