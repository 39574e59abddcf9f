import { expectNoStore, expectOwnRequestIds } from "../answer-headers.ts";
import { fail, type Rule } from "../check.ts";
import {
  ALLOW_ORIGIN,
  expectAllowsJson,
  expectAnyOrigin,
  expectNoCredentials,
  FOREIGN,
  preflight,
} from "../cors.ts";
import { expectStatus } from "../expect-status.ts";
import { loginAnswers, provokeErrors } from "./errors.ts";
import type { Site } from "./site.ts";

/** Section 2.3: what answers carry for caches, for browsers and for support. */

export const HEADER_CHECKS: readonly Rule<Site>[] = [
  {
    id: "2.3-no-store",
    proves: "No answer of a login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    looksBack: true,
    async run(site) {
      if (site.run.codes.length === 0) await site.issue(site.browser());
      await provokeErrors(site);
      expectNoStore(loginAnswers(site));
    },
  },
  {
    id: "2.3-request-id",
    proves: "Every answer carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    looksBack: true,
    async run(site) {
      if (site.run.codes.length === 0) await site.issue(site.browser());
      await provokeErrors(site);
      expectOwnRequestIds(loginAnswers(site));
    },
  },
  {
    id: "2.3-cors-wallets",
    proves:
      "Any origin may read the answer to a wallet's post, refusals too: `Access-Control-Allow-Origin: *`.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      expectAnyOrigin(
        loginAnswers(site).filter(
          ({ request: { method, path } }) => method === "POST" && path.startsWith(`${site.target.webhook}/`),
        ),
      );
    },
  },
  {
    id: "2.3-cors-preflight",
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type` for a day.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    async run(site) {
      for (const action of ["login", "register"] as const) {
        const answer = await preflight(site.http, site.webhook(action));
        expectStatus(answer, [200, 204], "a preflight");
        const { headers } = answer;
        if (headers[ALLOW_ORIGIN] !== "*") fail(`The preflight allows the origin ${headers[ALLOW_ORIGIN]}.`);
        expectAllowsJson(answer);
        if (headers["access-control-max-age"] !== "86400") {
          fail(
            `The preflight is good for ${headers["access-control-max-age"] ?? "no"} seconds instead of 86400.`,
          );
        }
      }
    },
  },
  {
    id: "2.3-cors-elsewhere",
    proves: "No other path lets another origin read it: not the code, the status, the stream or the session.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const { qr, check, signIn } = site.target;
      const browser = site.browser();
      const { sid } = await site.issue(browser);
      const session = `${signIn.split("/callback/")[0]}/session`;
      const paths = [
        `${qr}?mode=login`,
        `${check}?sid=${encodeURIComponent(sid)}`,
        session,
        "/login",
        "/dashboard",
      ];
      for (const path of paths) {
        for (const method of ["GET", "OPTIONS"]) {
          const answer = await browser.send({ method, path, headers: FOREIGN });
          const allowed = answer.headers[ALLOW_ORIGIN];
          if (allowed !== undefined) fail(`${method} ${path} allows the origin ${allowed}.`);
        }
      }
    },
  },
  {
    id: "2.3-no-credentials",
    proves: "No answer allows another origin to use the browser's cookies.",
    cause: "A CORS library with `credentials: true`.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      await site.http.send({ path: `${site.target.qr}?mode=login`, headers: FOREIGN });
      expectNoCredentials(site.run.answers);
    },
  },
];
