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
import { expectCounted, forgedAddress, saysWhenToComeBack, untilLimited } from "../flow/limits.ts";
import type { Site } from "./site.ts";

/** Sections 2.3 and 2.4: what answers carry for caches, browsers and support, and how many a caller gets. */

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
  {
    id: "2.4-headers",
    proves:
      "Limited endpoints say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`, and count down.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue();
      expectCounted(code.answer);
      expectCounted(await site.check(code.sid));
      expectCounted(await site.post(site.webhook("login"), "{"));
    },
  },
  {
    id: "2.4-retry-after",
    proves: "A 429 says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    cause: "The refusal is the limiter's own, or a proxy's.",
    looksBack: true,
    run: saysWhenToComeBack,
  },
  {
    id: "2.4-codes-limited",
    proves: "One address gets at most 120 codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    locksOut: true,
    async run(site) {
      const path = `${site.target.qr}?mode=login`;
      const refusal = await untilLimited(120, (index) =>
        site.http.send({ path, headers: forgedAddress(index), expectsLimit: true }),
      );
      site.expectLimited(refusal);
    },
  },
  {
    id: "2.4-responses-limited",
    proves: "One address posts at most 120 wallet responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    locksOut: true,
    async run(site) {
      const refusal = await untilLimited(120, (index) =>
        site.post(site.webhook("login"), "{}", forgedAddress(index), { expectsLimit: true }),
      );
      site.expectLimited(refusal);
    },
  },
  {
    id: "2.4-sign-ins-limited",
    proves: "One address fails at most 60 sign-ins a minute.",
    cause: "The sign-in is the framework's own, and nothing counts in front of it.",
    locksOut: true,
    async run(site) {
      const browser = site.browser();
      const signIn = () => browser.signIn("A".repeat(40), {}, { expectsLimit: true });
      await untilLimited(60, async () => (await signIn()).answer, "failed sign-ins");
    },
  },
];
