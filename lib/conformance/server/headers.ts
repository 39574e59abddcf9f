import type { Rule } from "../check.ts";
import {
  allowsPreflight,
  expectNoCredentials,
  FOREIGN,
  noStore,
  ownRequestIds,
  readByAnyOrigin,
  readByNobodyElse,
} from "../flow/headers.ts";
import type { Site } from "./site.ts";

/** Section 2.3: what answers carry for caches, for browsers and for support. */

export const HEADER_CHECKS: readonly Rule<Site>[] = [
  {
    id: "2.3-no-store",
    proves: "No answer of a login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    looksBack: true,
    run: noStore,
  },
  {
    id: "2.3-request-id",
    proves: "Every answer carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    looksBack: true,
    run: ownRequestIds,
  },
  {
    id: "2.3-cors-wallets",
    proves:
      "Any origin may read the answer to a wallet's post, refusals too: `Access-Control-Allow-Origin: *`.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    looksBack: true,
    run: readByAnyOrigin,
  },
  {
    id: "2.3-cors-preflight",
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type` for a day.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    run: (site) => allowsPreflight(site, [site.webhook("login"), site.webhook("register")], "86400"),
  },
  {
    id: "2.3-cors-elsewhere",
    proves: "No other path lets another origin read it: not the code, the status, the stream or the session.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const { qr, check, signIn } = site.target;
      const { browser, sid } = await site.issue();
      const session = `${signIn.split("/callback/")[0]}/session`;
      const status = `${check}?${new URLSearchParams({ sid })}`;
      const paths = [`${qr}?mode=login`, status, session, "/login", "/dashboard"];
      await readByNobodyElse(
        browser,
        paths.flatMap((path) => ["GET", "OPTIONS"].map((method) => ({ method, path }))),
      );
    },
  },
  {
    id: "2.3-no-credentials",
    proves: "No answer allows another origin to use the browser's cookies.",
    cause: "A CORS library with `credentials: true`.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      await site.http.send({ path: `${site.target.qr}?mode=login`, headers: FOREIGN });
      expectNoCredentials(site.run.answers);
    },
  },
];
