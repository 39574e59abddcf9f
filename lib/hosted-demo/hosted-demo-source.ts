import { fetchJson } from "#lib/login/client/fetch-json.ts";
import { type LoginSource, readCheck, readIssue } from "#lib/login/client/login-source.ts";

/** The demo customer's endpoints on the hosted API; its server hears by webhook, its page by polling. */
export const hostedDemoSource: LoginSource = {
  provider: "hosted",
  async issue(sid) {
    const fetched = await fetchJson(
      `/api/hosted-demo/qr?${new URLSearchParams(sid === null ? {} : { sid })}`,
    );
    return fetched.kind === "ok" ? readIssue(fetched.body) : fetched;
  },
  async check(sid) {
    const fetched = await fetchJson(`/api/hosted-demo/check?${new URLSearchParams({ sid })}`);
    return fetched.kind === "ok" ? readCheck(fetched.body) : fetched;
  },
  eventsUrl: () => null,
};
