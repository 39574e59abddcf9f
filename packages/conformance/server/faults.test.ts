import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import { describeFaults } from "../testing/faults.fixture.ts";
import { INDEPENDENT_SITE_FAULTS, SITE_FAULTS } from "../testing/faults-site.fixture.ts";
import { closeAfterTest, listen } from "../testing/reference.fixture.ts";
import type { Reference } from "../testing/reference-answers.fixture.ts";
import { startReferenceSite } from "../testing/reference-site.fixture.ts";
import { LOGIN_CHECKS, runServer } from "./checks.ts";
import { DEFAULT_PATHS, type Site, type Target } from "./site.ts";

/** Faults of a site whose sign-in endpoint accepts JSON. Each fault fails the same sign-in checks as on other sites. */
const OWN_SIGN_IN_FAULTS = [
  ...["nobody-signs-in", "wrong-user", "script-session", "sid-signs-in", "redeemed-twice", "token-kept"],
  ...["token-lives-on", "binding-kept", "answered-kept", "pending-kept", "any-page", "token-holds-sid"],
];

/** Runs checks against a site, one after another. A check that waits advances the site's clock instead. */
async function tryOn(site: Reference, checks: readonly Check<Site>[], paths: Partial<Target> = {}) {
  const { results } = await runServer({
    ...{ target: { ...DEFAULT_PATHS, ...paths, origin: site.origin }, checks, timeoutSeconds: 30, lanes: 1 },
    wait: async (seconds) => site.advance(seconds),
  });
  return results;
}

const CODE = '{"sid":"a","challenge":"b"}';

async function tryOnServer(
  ids: RegExp,
  answer: (request: IncomingMessage, response: ServerResponse, server: Server) => void,
) {
  const server: Server = createServer((request, response) => answer(request, response, server));
  const { origin } = await closeAfterTest(listen(server));
  const checks = LOGIN_CHECKS.filter(({ id }) => ids.test(id));
  const target = { ...DEFAULT_PATHS, origin };
  return (await runServer({ target, checks, timeoutSeconds: 30, lanes: 1 })).results;
}

describe("a site with key login", () => {
  describeFaults({
    checks: LOGIN_CHECKS,
    caught: SITE_FAULTS,
    together: INDEPENDENT_SITE_FAULTS,
    lastAtLimits: "2.4-retry-after",
    start: (faults, withLimits) =>
      startReferenceSite({
        faults,
        limit: withLimits ? 120 : undefined,
        qrFormat: faults.includes("no-page") ? "https" : undefined,
      }),
    tryOn,
    skips: ["1.2-payload-page", "2.4-retry-after"],
  });

  test("also passes with codes in https form", async () => {
    const site = await closeAfterTest(startReferenceSite({ qrFormat: "https" }));
    const checks = LOGIN_CHECKS.filter(({ exhaustsLimits }) => !exhaustsLimits);
    const results = await tryOn(site, checks);
    const open = results.filter(({ outcome }) => outcome !== "passed");
    expect(open.map(({ check, outcome }) => [check.id, outcome])).toEqual([
      ["1.2-payload-ts", "skipped"],
      ["2.4-retry-after", "skipped"],
    ]);
  });

  test("passes even if it does not support intents, which are optional", async () => {
    const site = await closeAfterTest(startReferenceSite({ faults: ["no-intents", "intent-unread"] }));
    const checks = LOGIN_CHECKS.filter(({ id }) => /intent/.test(id));
    const results = await tryOn(site, checks);
    expect(results.map(({ check, outcome }) => [check.id, outcome])).toEqual(
      checks.map(({ id }) => [id, "skipped"]),
    );
  });

  test("is still checked if its sids and challenges are not valid Unicode", async () => {
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
    ["another server answers", "accept", 'instead of a 4xx. It says: "Internal Server Error"'],
  ])(
    "is reported as failing, with the reason, if %s before any handler runs",
    async (_who, vary, expectedText) => {
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
      expect(results[0]?.message).toContain(expectedText);
      expect(results[0]?.message.includes("Next's")).toBe(vary !== "accept");
    },
  );

  test("is reported as not responding, not with the check's usual cause", async () => {
    const results = await tryOnServer(/^3\.3-pending$/, ({ url = "" }, response) => {
      if (url.startsWith("/api/svc/check?sid=a")) return void response.destroy();
      response.writeHead(200, { "Content-Type": "application/json" }).end(CODE);
    });
    expect(results).toMatchObject([
      { outcome: "failed", check: { id: "3.3-pending", level: "MUST", family: { title: "No answer" } } },
    ]);
  });

  test("is reported as stopped, instead of failing every check, if it stops during the run", async () => {
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

  describe("with its own sign-in endpoint", () => {
    const signingIn = LOGIN_CHECKS.filter(({ id }) => /^(3\.5|4\.2|4\.3)-/.test(id));
    const own = { signIn: "/api/svc/sign-in", session: "/me", signOut: "/sign-out" };

    async function outcomesOf(faults: readonly string[], paths: Partial<Target> = own) {
      const site = await startReferenceSite({ faults });
      const results = await tryOn(site, signingIn, paths);
      site.close();
      return (outcome: string) =>
        results.filter((result) => result.outcome === outcome).map(({ check }) => check.id);
    }

    test("passes every check except those that need --session and --sign-out", async () => {
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
      "fails exactly the checks that catch its fault: %s",
      async (fault) => {
        const ids = signingIn.map(({ id }) => id);
        const expected = Object.entries(SITE_FAULTS)
          .filter(([id, faults]) => ids.includes(id) && faults.includes(fault))
          .map(([id]) => id);
        expect((await outcomesOf([fault]))("failed").toSorted()).toEqual(expected.toSorted());
      },
    );

    test("does not pass the sign-in check with a cookie that is not a session token", async () => {
      expect((await outcomesOf(["language-for-session"]))("failed")).toEqual(["3.5-sign-in"]);
    });

    test("fails only the first session check if it never signs anyone in", async () => {
      const outcomes = await outcomesOf(["nobody-signs-in"]);
      expect(outcomes("failed")).toEqual(["3.5-sign-in"]);
      expect(outcomes("passed")).toEqual([]);
    });
  });
});
