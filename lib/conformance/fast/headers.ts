import type { Rule } from "../check.ts";
import {
  allowsPreflight,
  expectNoCredentials,
  noStore,
  ownRequestIds,
  readByAnyOrigin,
  readByNobodyElse,
} from "../flow/headers.ts";
import type { FastSite } from "./site.ts";

/** Section 2.3, for the paths of a fast login. */

export const FAST_HEADER_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6-no-store",
    proves: "No answer of a fast login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    looksBack: true,
    run: noStore,
  },
  {
    id: "6-request-id",
    proves: "Every answer of a fast login carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    looksBack: true,
    run: ownRequestIds,
  },
  {
    id: "6-cors-wallets",
    proves:
      "Any origin may read the answer to a wallet, refusals too: `Access-Control-Allow-Origin: *`, without credentials.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    looksBack: true,
    async run(site) {
      await readByAnyOrigin(site);
      expectNoCredentials(site.run.answers);
    },
  },
  {
    id: "6-cors-preflight",
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type`.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    run: (site) => allowsPreflight(site, [site.target.webhook]),
  },
  {
    id: "6-cors-elsewhere",
    proves: "No other path of a fast login lets another origin read it: neither code nor status.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const { qr, check, dashboard } = site.target;
      const { browser, sid } = await site.issue();
      const paths = [qr, `${check}?${new URLSearchParams({ sid })}`, dashboard];
      await readByNobodyElse(
        browser,
        paths.map((path) => ({ path })),
      );
    },
  },
];
