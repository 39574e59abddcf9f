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
import { ownAnswers, provoke, webhookAnswers } from "./own-answers.ts";
import type { FastSite } from "./site.ts";

/** Section 2.3, for the paths of a fast login. */

export const FAST_HEADER_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6-no-store",
    proves: "No answer of a fast login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      expectNoStore(ownAnswers(site));
    },
  },
  {
    id: "6-request-id",
    proves: "Every answer of a fast login carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      expectOwnRequestIds(ownAnswers(site));
    },
  },
  {
    id: "6-cors-wallets",
    proves:
      "Any origin may read the answer to a wallet, refusals too: `Access-Control-Allow-Origin: *`, without credentials.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      expectAnyOrigin(webhookAnswers(site));
      expectNoCredentials(site.run.answers);
    },
  },
  {
    id: "6-cors-preflight",
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type`.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    async run(site) {
      const answer = await preflight(site.http, site.target.webhook);
      const { headers, status } = answer;
      if (status !== 200 && status !== 204) fail(`A preflight is answered ${status}.`);
      if (headers[ALLOW_ORIGIN] !== "*")
        fail(`The preflight allows the origin ${headers[ALLOW_ORIGIN] ?? "of nobody"}.`);
      expectAllowsJson(answer);
    },
  },
  {
    id: "6-cors-elsewhere",
    proves: "No other path of a fast login lets another origin read it: neither code nor status.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const browser = site.browser();
      const { sid } = await site.issue(browser);
      const { qr, check, dashboard } = site.target;
      for (const path of [qr, `${check}?${new URLSearchParams({ sid })}`, dashboard]) {
        const answer = await browser.send({ path, headers: FOREIGN });
        const allowed = answer.headers[ALLOW_ORIGIN];
        if (allowed !== undefined) fail(`${answer.name} allows the origin ${allowed}.`);
      }
    },
  },
];
