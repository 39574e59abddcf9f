import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import { describeFaults, type Faults } from "../testing/faults.fixture.ts";
import { during, listen } from "../testing/reference.fixture.ts";
import type { Reference } from "../testing/reference-answers.fixture.ts";
import { startReferenceSite } from "../testing/reference-site.fixture.ts";
import type { SiteId } from "../texts/site.ts";
import { LOGIN_CHECKS } from "./checks.ts";
import { runServer } from "./run-server.ts";
import { DEFAULT_PATHS, type Site, type Target } from "./site.ts";

/** Each fault of the reference site, and the checks that it fails: these and no other. */
const SITE_FAULTS: Faults<SiteId> = {
  "html-errors": ["2.1-error-body", "2.1-unknown-path", "2.1-method"],
  "text-json": ["11.1-told", "3.1-answer", "2.1-error-body", "2.1-unknown-path", "2.1-method"],
  cacheable: ["2.3-no-store"],
  "no-request-id": ["2.3-request-id"],
  "no-allow": ["2.1-method"],
  "wrong-codes": ["2.1-error-code"],
  "flat-errors": ["2.1-error-body", "2.1-unknown-path", "2.1-method"],
  "details-null": ["2.1-error-body", "2.1-unknown-path", "2.1-method"],
  "no-cors": ["11.1-any-origin", "2.3-cors-wallets", "2.3-cors-preflight"],
  "cors-on-success": ["11.1-any-origin", "2.3-cors-wallets"],
  "long-targets": ["2.2-target"],
  "decoding-throws": ["2.1-server-fault", "2.2-percent-encoding", "2.2-percent-path", "2.2-strange-sids"],
  "many-fields": ["2.2-query-fields"],
  "fields-twice": ["2.2-query-twice"],
  "any-method": ["2.1-method"],
  "no-cookie": ["3.5-sign-in", "3.1-refresh", "4.1-cookie"],
  "expires-in-milliseconds": ["3.1-expires-at"],
  "answer-tells-more": ["3.1-answer-tells-no-more"],
  "check-binds": ["3.3-strangers"],
  "silent-stream": ["3.4-own-browser"],
  "open-callback": ["3.5-callback"],
  "binding-kept": ["4.3-binding-removed"],
  "dashboard-signs-in": ["4.2-dashboard"],
  "html-404": ["2.1-unknown-path"],
  "preflight-get": ["2.3-cors-preflight"],
  "preflight-no-type": ["2.3-cors-preflight"],
  "no-page": ["1.2-payload-page", "11.1-page"],
  "any-content-type": ["3.2-order-content-type"],
  "any-encoding": ["2.2-content-encoding"],
  "other-answer": ["3.2-register", "3.2-login"],
  "narrow-path": ["4.1-cookie"],
  "long-cookie": ["4.1-cookie-lifetime"],
  "script-cookie": ["4.1-cookie-httponly"],
  "samesite-none": ["4.1-cookie-samesite"],
  "cookie-domain": ["4.1-cookie"],
  "script-session": ["3.5-session-cookie"],
  "webhook-elsewhere": ["1.2-payload-webhook"],
  "one-webhook": ["1.2-payload-webhook"],
  "payload-other-sid": ["1.2-payload-session"],
  "payload-other-challenge": ["1.2-payload-challenge"],
  "payload-other-ts": ["1.2-payload-ts"],
  "payload-twice": ["1.2-payload"],
  "payload-secret": ["1.2-payload"],
  "other-scheme": ["1.2-payload"],
  "limit-stands-still": ["2.4-headers"],
  "large-bodies": ["2.2-body-size"],
  "any-utf8": ["2.2-text"],
  "parse-throws": ["2.1-server-fault", "2.2-no-json", "2.2-text"],
  "arrays-opened": ["2.2-no-json"],
  "deep-bodies": ["2.2-nesting"],
  "prototype-followed": ["2.2-prototype"],
  "fields-converted": ["1.5-types"],
  "fields-unchecked": ["1.5-required", "1.5-types"],
  "text-throws": ["2.1-server-fault", "2.2-text"],
  "any-timestamp": ["1.5-required", "1.5-types", "1.5-timestamp-range", "3.2-order-shape"],
  "clock-compared": ["1.5-timestamp-decides-nothing"],
  "strict-fields": ["2.2-unknown-fields"],
  "device-required": ["1.5-device-info-optional"],
  "any-length": ["1.5-device-info-length"],
  "default-register": ["3.1-mode-default"],
  "any-mode": ["3.1-mode-unknown"],
  "intent-ignored": ["11.1-intent", "3.6-intent-unknown", "3.6-intent-of-a-stranger", "3.6-intent-dropped"],
  "any-intent-type": ["1.5-types"],
  "null-refused": ["3.6-intent-added"],
  "intent-unread": ["3.6-intent-added", "3.2-order-intent"],
  "dropped-unread": ["3.6-intent-dropped"],
  "intent-of-logins": ["3.6-intent-dropped"],
  "mismatch-spends": ["3.6-intent-added", "3.6-intent-dropped"],
  "intent-as-signature": ["3.6-intent-added", "3.6-intent-dropped", "3.2-order-intent"],
  "intent-required": ["3.6-intent-untold"],
  "intent-last": ["3.2-order-intent"],
  "stays-unregistered": ["3.3-unregistered-until-refreshed"],
  "refresh-kills": ["1.1-refresh-keeps-previous"],
  "refresh-prolongs": ["1.1-own-lifetime"],
  "domain-from-host": ["1.1-challenge-domain-fixed"],
  "domain-upper": ["1.1-challenge-domain"],
  milliseconds: ["1.1-challenge-format", "1.1-challenge-time", "1.2-payload-ts", "3.1-expires-at"],
  "clock-ahead": ["1.1-challenge-time", "1.2-payload-ts", "3.1-expires-at"],
  "extra-part": ["1.1-challenge-format"],
  "domain-port": [
    "1.1-challenge-format",
    "1.1-challenge-time",
    "1.1-nonce",
    "1.1-nonce-random",
    "1.2-payload-ts",
    "3.1-expires-at",
  ],
  "short-nonce": ["1.1-nonce", "1.1-nonce-random"],
  "hex-nonce": ["1.1-nonce-random"],
  "repeated-nonce": ["1.1-nonce-random"],
  "refresh-by-sid": ["3.1-refresh-foreign"],
  "no-refresh": ["3.1-refresh"],
  "refresh-revives": ["3.1-refresh-authenticated"],
  "sid-adopted": ["4.1-sid-not-adopted"],
  "secret-adopted": ["4.1-secret-not-adopted"],
  "secret-is-sid": ["4.1-secret", "4.2-guessed-cookie", "4.3-pending-ended", "4.3-answered-ended"],
  "counter-sid": ["1.7-sid-random"],
  "one-secret": [
    "3.4-strangers",
    "3.5-attempt-of-a-stranger",
    "3.1-refresh-foreign",
    "4.1-secret",
    "4.2-foreign-cookie",
  ],
  "signature-first": ["3.2-order-challenge", "3.2-order-used"],
  "login-registers": ["3.2-unknown-key"],
  "user-first": ["3.2-order-challenge", "3.2-order-used", "3.2-order-signature", "3.3-unregistered"],
  "wallet-clock": [
    "1.1-expired",
    "1.1-expired-unregistered",
    "1.1-own-lifetime",
    "1.5-timestamp-decides-nothing",
  ],
  "lives-5-minutes": ["1.1-expired", "1.1-expired-unregistered", "1.1-own-lifetime"],
  "lives-20-seconds": ["1.1-lives-30-seconds"],
  "never-expires": ["1.1-expired", "1.1-expired-unregistered", "1.1-own-lifetime"],
  "register-never-expires": ["1.1-expired-unregistered"],
  "other-action-accepted": ["1.1-other-action"],
  "used-twice": [
    ...(["1.1-at-once", "1.1-at-once-two-codes", "1.1-single-use"] as const),
    ...(["1.1-authenticated-is-final", "3.2-order-used"] as const),
  ],
  "second-code-wins": ["1.1-at-once-two-codes", "1.1-authenticated-is-final"],
  "slow-spend": ["1.1-at-once", "1.1-at-once-two-codes"],
  "code-locked-alone": ["1.1-at-once-two-codes"],
  "late-one-owns": ["1.1-at-once-two-codes"],
  "refusal-spends": ["1.1-refused-is-not-spent", "1.1-unknown-key-does-not-spend"],
  "user-before-signature": ["3.3-pending-after-refusals"],
  unsigned: [
    "1.3-other-forms",
    "1.4-der-lengths",
    "1.4-der-integers",
    "1.4-der-trailing",
    "1.4-der-tags",
    "1.4-range",
    "1.4-text",
    "1.4-hashed-once",
    "1.4-this-challenge",
    "1.4-this-key",
    "3.2-order-signature",
  ],
  "refusal-unregisters": ["3.2-order-signature", "3.3-pending-after-refusals"],
  "unknown-key-spends": ["1.1-unknown-key-does-not-spend"],
  "never-unregistered": ["3.3-unregistered"],
  "unregistered-signs-in": ["3.5-not-refused"],
  "register-conflict": ["2.1-error-code", "3.2-register-known-key"],
  "always-new-user": ["3.2-register-known-key"],
  "all-pending": ["1.1-one-login-alone"],
  "status-late": [
    "1.1-at-once-two-codes",
    "1.1-refresh-keeps-previous",
    "1.1-one-login-alone",
    "3.3-authenticated",
    "3.3-redirect",
    "3.4-own-browser",
    "3.5-sign-in",
    "3.1-refresh-authenticated",
  ],
  "one-user": ["3.2-same-user", "11.2-new-browser"],
  "found-by-nonce": ["1.1-exact-text", "1.1-other-domain"],
  "never-looked-up": ["1.1-exact-text", "1.1-never-issued", "3.2-order-challenge"],
  "keys-as-sent": ["1.3-one-key-one-user"],
  "no-compressed": ["1.3-compressed-accepted"],
  "lower-case-keys": ["1.3-letter-case"],
  "hybrid-keys": ["1.3-other-forms"],
  "trimmed-keys": ["1.3-other-forms"],
  "key-throws": ["1.3-other-forms", "1.3-no-point", "3.2-order-challenge", "2.1-server-fault", "2.2-text"],
  "lower-case-hex": ["1.4-letter-case"],
  "low-s-only": ["1.4-high-s"],
  "fixed-length": ["1.4-lengths"],
  "hashed-twice-too": ["1.4-hashed-once"],
  "lower-case-signed": ["1.4-this-challenge"],
  "line-signed": ["1.4-this-challenge"],
  "domain-unsigned": ["1.4-this-challenge"],
  "ethereum-signed": ["1.4-this-challenge"],
  "y-unread": ["1.3-no-point"],
  "no-sid-pending": ["3.3-no-sid"],
  "unknown-sid-pending": ["2.2-percent-encoding", "3.3-unknown-sid"],
  "wrong-404": ["2.1-which-404"],
  "pending-leaks": ["3.3-pending", "3.3-pending-after-refusals", "3.3-unregistered"],
  "open-redirect": ["3.3-redirect"],
  "text-user-id": ["3.3-user-id"],
  "absolute-redirect": ["3.3-redirect"],
  "status-leaks": ["3.3-strangers"],
  "signs-in-pending": ["3.5-not-before", "3.5-not-refused"],
  "any-cookie": [
    "3.5-attempt-of-a-stranger",
    "4.1-secret-not-adopted",
    "4.2-foreign-cookie",
    "4.2-guessed-cookie",
  ],
  "any-answered-cookie": ["4.2-foreign-cookie"],
  "empty-cookie": ["4.2-guessed-cookie"],
  "attempt-proves": ["3.5-attempt-of-a-stranger"],
  "nobody-signs-in": ["3.5-sign-in"],
  "sid-signs-in": [
    "3.5-attempt-of-a-stranger",
    "4.1-secret-not-adopted",
    "4.2-stolen-sid",
    "4.2-foreign-cookie",
    "4.2-guessed-cookie",
  ],
  "slow-redeem": ["4.2-once-at-once"],
  "no-attempt": ["3.5-attempt"],
  "redeemed-twice": ["3.5-attempt", "4.2-once", "4.2-once-at-once"],
  "token-kept": ["4.2-new-session"],
  "any-page": ["3.5-other-site"],
  "other-page-spends": ["3.5-other-site"],
  "token-holds-sid": ["3.5-session-token"],
  "token-holds-secret": ["3.5-session-token"],
  "wrong-user": ["3.5-right-user"],
  "token-lives-on": ["4.3-sign-out"],
  "answered-kept": ["4.3-answered-ended"],
  "pending-kept": ["4.3-pending-ended"],
  "stream-for-all": ["3.4-strangers"],
  "null-trusted": ["2.3-no-credentials"],
  "stream-for-all-origins": ["2.3-cors-elsewhere"],
  "challenge-trimmed": ["1.1-exact-text"],
  "challenge-decoded": ["1.1-exact-text"],
  "compact-accepted": ["1.4-text"],
  "base64-accepted": ["1.4-text"],
  "hex-cut": ["1.4-text"],
  "ber-lengths": ["1.4-der-lengths"],
  "any-tag": ["1.4-der-tags"],
  "trailing-bytes": ["1.4-der-lengths", "1.4-der-trailing"],
  "loose-integers": ["1.4-der-integers"],
  "scalars-reduced": ["1.4-range"],
  "trace-throws": ["2.2-odd-methods"],
  "cookie-throws": ["2.1-server-fault", "2.2-strange-cookies"],
  "stall-throws": ["2.2-stalled-body"],
  untold: ["11.1-told", "11.2-told"],
  "asks-other-domain": ["11.1-code"],
  "intent-hidden": ["11.1-intent"],
  "asked-now-times": ["11.1-times"],
  "asked-unix-times": ["11.1-times"],
  "asked-10-minutes": ["11.1-times"],
  "raw-user-agent": ["11.1-browser"],
  "always-other-network": ["11.1-network"],
  "question-names-user": ["11.1-tells-no-more"],
  "question-cookie": ["11.1-no-cookie"],
  "question-unreadable": ["11.1-any-origin"],
  "question-spends": ["11.1-other-codes", "11.1-spends-nothing"],
  "asked-by-sid": ["11.1-other-codes"],
  "asked-anywhere": ["11.1-other-codes"],
  "answered-told": ["11.1-answered"],
  "expired-told": ["11.1-expired"],
  "json-for-all": ["11.1-page"],
  "newness-untold": ["11.2-told"],
  "names-wallet": ["11.2-browser"],
  "always-new-browser": ["11.2-known-browser"],
  "never-new-browser": ["11.2-new-browser"],
  "word-alone-known": ["11.2-new-browser"],
  "undo-elsewhere": ["11.2-told"],
  "short-undo": ["11.2-undo-random"],
  "undo-redeemed-alone": ["11.2-undo-before"],
  "undo-pending-alone": ["11.2-undo-after"],
  "undo-ends-all": ["11.2-undo-this-login"],
  "undo-once": ["11.2-undo-twice"],
  "undo-unchecked": ["11.2-undo-guessed"],
  "undo-by-get": ["11.2-undo-get"],
  "high-s-only": [
    ...([
      "1.1-at-once",
      "1.3-compressed-accepted",
      "1.3-letter-case",
      "1.4-low-s",
      "1.4-letter-case",
      "1.4-lengths",
    ] as const),
    ...(["3.2-order-intent", "3.2-register", "3.2-unknown-key"] as const),
  ],
};

/** Independent faults, each with separate checks. They are planted together, since each costs a run. */
const INDEPENDENT_SITE_FAULTS: Faults<SiteId> = {
  "large-headers": ["2.2-headers"],
  "secure-on-http": ["4.1-cookie-secure"],
  "cacheable-errors": ["2.3-no-store"],
  "one-request-id": ["2.3-request-id"],
  "tells-stack": ["2.1-tells-nothing-inner"],
  credentials: ["2.3-no-credentials"],
  "cors-everywhere": ["2.3-cors-elsewhere"],
  "no-limit-headers": ["2.4-headers"],
  "expires-missing": ["3.1-answer", "3.1-expires-at"],
  "short-sid": ["1.7-sid-random"],
  "counter-nonce": ["1.1-nonce-random"],
  "short-secret": ["4.1-secret"],
  "one-action": ["1.1-challenge-action"],
};

/** Faults that show only when a limit is used up. */
const LIMIT_FAULTS: Faults<SiteId> = {
  "questions-uncounted": ["11.1-limited"],
  "no-limits": [
    "11.1-limited",
    "11.2-undo-limited",
    "2.4-codes-limited",
    "2.4-responses-limited",
    "2.4-sign-ins-limited",
  ],
  "forged-address": ["11.1-limited", "11.2-undo-limited", "2.4-codes-limited", "2.4-responses-limited"],
  "sign-ins-unlimited": ["2.4-sign-ins-limited"],
  "no-retry-after": [
    "11.1-limited",
    "11.2-undo-limited",
    "2.4-codes-limited",
    "2.4-responses-limited",
    "2.4-retry-after",
  ],
};

/** Faults of a site whose own sign-in takes JSON. Each fails the checks of signing in that it fails at other sites. */
const OWN_SIGN_IN_FAULTS = [
  ...["nobody-signs-in", "wrong-user", "script-session", "sid-signs-in", "redeemed-twice", "token-kept"],
  ...["token-lives-on", "binding-kept", "answered-kept", "pending-kept", "any-page", "token-holds-sid"],
];

/** Tries a site whose clock the waiting checks move, one check after another. */
async function tryOn(site: Reference, checks: readonly Check<Site>[], paths: Partial<Target> = {}) {
  const { results } = await runServer({
    ...{ target: { ...DEFAULT_PATHS, ...paths, origin: site.origin }, checks, timeoutSeconds: 30, lanes: 1 },
    wait: async (seconds) => site.advance(seconds),
  });
  return results;
}

/** As much of a code as a run needs to begin. */
const CODE = '{"sid":"a","challenge":"b"}';

/** Tries something that is no whole site, by these checks. */
async function tryOnServer(
  ids: RegExp,
  answer: (request: IncomingMessage, response: ServerResponse, server: Server) => void,
) {
  const server: Server = createServer((request, response) => answer(request, response, server));
  const { origin } = await during(listen(server));
  const checks = LOGIN_CHECKS.filter(({ id }) => ids.test(id));
  const target = { ...DEFAULT_PATHS, origin };
  return (await runServer({ target, checks, timeoutSeconds: 30, lanes: 1 })).results;
}

describe("a site with login by keys", () => {
  describeFaults({
    checks: LOGIN_CHECKS,
    faults: SITE_FAULTS,
    together: INDEPENDENT_SITE_FAULTS,
    limits: LIMIT_FAULTS,
    looksBackAtLimits: "2.4-retry-after",
    start: (faults, withLimits) =>
      startReferenceSite({
        faults,
        limit: withLimits ? 120 : undefined,
        qrFormat: faults.includes("no-page") ? "https" : undefined,
      }),
    tryOn,
    skips: ["1.2-payload-page", "2.4-retry-after"],
  });

  test("passes with codes of the https form too", async () => {
    const site = await during(startReferenceSite({ qrFormat: "https" }));
    const checks = LOGIN_CHECKS.filter(({ locksOut }) => !locksOut);
    const results = await tryOn(site, checks);
    const open = results.filter(({ outcome }) => outcome !== "passed");
    expect(open.map(({ check, outcome }) => [check.id, outcome])).toEqual([
      ["1.2-payload-ts", "skipped"],
      ["2.4-retry-after", "skipped"],
    ]);
  });

  test("whose sids and challenges are not valid text is still checked", async () => {
    const ids = /^(1\.1-exact-text|2\.3-cors-elsewhere|3\.4-)/;
    const results = await tryOnServer(ids, ({ method }, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const code = { sid: "\ud800", challenge: "\ud800", qr: "" };
      response.end(JSON.stringify(method === "POST" ? { status: "authenticated" } : code));
    });
    const checks = LOGIN_CHECKS.filter(({ id }) => ids.test(id));
    expect(results.map(({ check }) => check.id)).toEqual(checks.map(({ id }) => id));
  });

  test.each([
    [
      "Next answers",
      "rsc, next-router-state-tree",
      'GET /api/svc/%E0%A4%A answers 500 instead of a 4xx. It says: "Internal Server Error" This is Next\'s own answer',
    ],
    ["another answers", "accept", 'instead of a 4xx. It says: "Internal Server Error"'],
  ])("receives an explanation of what %s before any handler", async (_who, vary, said) => {
    const results = await tryOnServer(/^2\.2-percent-path$/, ({ url = "" }, response) => {
      const isCode = url.startsWith("/api/svc/qr");
      const status = isCode ? 200 : url.includes("%") ? 500 : 404;
      response.writeHead(status, {
        Vary: vary,
        "Content-Type": status === 500 ? "text/plain" : "application/json",
      });
      response.end(isCode ? CODE : status === 500 ? "Internal Server Error" : "{}");
    });
    expect(results).toMatchObject([{ outcome: "failed" }]);
    expect(results[0]?.message).toContain(said);
    expect(results[0]?.message.includes("Next's")).toBe(vary !== "accept");
  });

  test("that does not respond gets that as the reason, and not the cause of the check", async () => {
    const results = await tryOnServer(/^3\.3-pending$/, ({ url = "" }, response) => {
      if (url.startsWith("/api/svc/check?sid=a")) return void response.destroy();
      response.writeHead(200, { "Content-Type": "application/json" }).end(CODE);
    });
    expect(results).toMatchObject([
      { outcome: "failed", check: { id: "3.3-pending", level: "MUST", family: { title: "No answer" } } },
    ]);
  });

  test("that ends during the run gets one message and no failures", async () => {
    const results = await tryOnServer(
      /^3\.3-(pending|no-sid|unknown-sid)$/,
      ({ url = "" }, response, server) => {
        response.writeHead(200, { "Content-Type": "application/json" }).end(CODE);
        if (!url.startsWith("/api/svc/check")) return;
        server.close();
        response.on("close", () => server.closeAllConnections());
      },
    );
    const late = results.filter(({ outcome }) => outcome === "blocked").map(({ message }) => message);
    expect(late.length).toBeGreaterThanOrEqual(2);
    expect(new Set(late)).toEqual(new Set([expect.stringMatching(/^The other side no longer listens/)]));
  });

  describe("whose sign-in is its own", () => {
    const signingIn = LOGIN_CHECKS.filter(({ id }) => /^(3\.5|4\.2|4\.3)-/.test(id));
    const own = { signIn: "/api/svc/sign-in", session: "/me", signOut: "/sign-out" };

    async function outcomesOf(faults: readonly string[], paths: Partial<Target> = own) {
      const site = await startReferenceSite({ faults });
      const results = await tryOn(site, signingIn, paths);
      site.close();
      return (outcome: string) =>
        results.filter((result) => result.outcome === outcome).map(({ check }) => check.id);
    }

    test("passes every check, and without --session and --sign-out skips what needs them", async () => {
      expect((await outcomesOf([]))("passed")).toEqual(signingIn.map(({ id }) => id));
      const guessed = await outcomesOf([], { signIn: own.signIn });
      const needing = [
        "3.5-right-user",
        ...signingIn.map(({ id }) => id).filter((id) => id.startsWith("4.3")),
      ];
      expect(guessed("skipped")).toEqual(needing);
      expect(guessed("passed")).toHaveLength(signingIn.length - needing.length);
    });

    test.concurrent.each(OWN_SIGN_IN_FAULTS)(
      "fails exactly its own checks with the fault %s",
      async (fault) => {
        const expected = SITE_FAULTS[fault]?.filter((id) => signingIn.some((check) => check.id === id));
        expect((await outcomesOf([fault]))("failed").toSorted()).toEqual(expected?.toSorted());
      },
    );

    test("is not taken to sign in by a cookie that is no token", async () => {
      expect((await outcomesOf(["language-for-session"]))("failed")).toEqual(["3.5-sign-in"]);
    });

    test("that never signs in fails only the first check, and the checks about thieves are not run", async () => {
      const outcomes = await outcomesOf(["nobody-signs-in"]);
      expect(outcomes("failed")).toEqual(["3.5-sign-in"]);
      expect(outcomes("passed")).toEqual([]);
    });
  });
});
