import { writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAST_CHECKS, runFast as runFastChecks } from "./fast/checks.ts";
import { FAST_PATHS } from "./fast/site.ts";
import type { Report } from "./report/report.ts";
import { createTestCommand } from "./testing/command.fixture.ts";
import { closeAfterTest, listen } from "./testing/reference.fixture.ts";
import { startReferenceApi } from "./testing/reference-api.fixture.ts";
import { startReferenceFastSite } from "./testing/reference-fast-site.fixture.ts";
import { startReferenceSite } from "./testing/reference-site.fixture.ts";

const command = createTestCommand({ isTTY: false });
const { run, read } = command;

const site = async (...faults: string[]) =>
  (await closeAfterTest(startReferenceSite({ faults }))).origin.origin;

describe("the exit status", () => {
  test.each([
    [0, "every MUST holds", [], "3.3-pending", "1 passed, 0 failed"],
    [1, "a MUST fails", ["pending-leaks"], "3.3-pending", "1 MUST check failed."],
    [0, "a SHOULD fails", ["no-attempt"], "3.5-attempt", "1 failed"],
    [1, "a MUST could not be tested", ["no-cookie"], "4.1-secret", "1 blocked"],
  ])("is %i if %s", async (status, _what, faults, only, expectedOutput) => {
    expect(await run("server", "--url", await site(...faults), "--only", only)).toBe(status);
    expect(command.printed).toContain(expectedOutput);
  });

  test.each([
    [["server", "--url", "http://127.0.0.1:1"], "Nothing answers at http://127.0.0.1:1"],
    [["server"], "Pass the URL to test"],
    [["server", "--url", "ftp://localhost"], "is not an http or https URL"],
    [["server", "--url", "http://localhost:1/path"], "without a path"],
    [["server", "--url", "https://shop.example"], "Run it again with --yes"],
    [["server", "--url", "http://localhost:1", "--only", "9.9"], 'no check or section "9.9"'],
    [["server", "--url", "http://localhost:1", "--timeout", "soon"], "--timeout takes a number"],
    [["server", "--url", "http://localhost:1", "--baseline", "none.txt"], "The baseline cannot be read"],
    [["server", "--url", "http://localhost:1", "--report", "/dev/null/x"], "The report cannot be written"],
    [["receiver", "--url", "http://localhost:1"], "--secret whsec_…"],
    [["wallet", "--command", "wallet"], "--command 'wallet {action} {payload}'"],
    [["server", "--flow", "slow", "--url", "http://localhost:1"], 'There is no flow "slow"'],
    [
      ["server", "--flow", "fast", "--url", "http://localhost:1", "--events", "/e"],
      "--events does not work with --flow fast",
    ],
    [
      ["bank", "--url", "http://localhost:1"],
      'Unknown command "bank". Use server, receiver, wallet, or explain.',
    ],
    [["server", "--flow", "hosted", "--url", "http://localhost:1"], "--key svc_test_…"],
    [
      ["server", "--flow", "hosted", "--url", "http://localhost:1", "--key", "abc"],
      "Pass the API's base path",
    ],
    [["server", "--flow", "hosted", "--url", "http://127.0.0.1:1", "--key", "svc_test_a"], "Nothing answers"],
    [["server", "--colour"], "--help for usage"],
  ])("is 2 if the kit cannot run, and a message says what to do: %j", async (args, message) => {
    Object.defineProperty(process.stdin, "isTTY", { value: false, configurable: true });
    expect(await run(...args)).toBe(2);
    expect(command.printed).toContain(message);
  });

  test("is 2 if the site is not a hosted API or the key is unknown", async () => {
    const hosted = (url: string) =>
      run("server", "--flow", "hosted", "--url", url, "--key", "svc_test_unknown");
    expect(await hosted(await site())).toBe(2);
    expect(command.printed).toContain("omit --flow to test a site's own login");
    const api = await closeAfterTest(startReferenceApi());
    expect(await hosted(api.origin.origin)).toBe(2);
    expect(command.printed).toContain("does not know the key svc_test_unk…");
  });

  test("is 0 if a hosted API whose URL has a base path passes", async () => {
    const { origin, key } = await closeAfterTest(startReferenceApi());
    const args = ["server", "--flow", "hosted", "--url", `${origin.origin}/sandbox/v1`, "--key", key];
    expect(await run(...args, "--only", "5.2-created,5.1-foreign-session")).toBe(0);
    expect(command.printed).toContain("1 passed, 0 failed, 0 blocked, 1 skipped");
  });

  test.each([
    ["login-wall", "POST /webhook/login", "307, leads to /login?callbackUrl=/webhook/login"],
    ["login-page", "POST /webhook/login", "401, asks for a session"],
  ])("is 2 if a login wall responds instead of the login: %s", async (fault, name, what) => {
    expect(await run("server", "--url", await site(fault))).toBe(2);
    expect(command.printed).toContain(`${name} does not reach the login: the response, ${what}.`);
    expect(command.printed).toContain(
      "by every method: /api/svc/qr, /api/svc/check, /api/svc/events, /webhook/login,",
    );
  });

  test("is 2 if a login wall responds instead of a receiver", async () => {
    const wall = createServer((_, response) => void response.writeHead(307, { Location: "/login" }).end());
    const { origin } = await closeAfterTest(listen(wall));
    expect(await run("receiver", "--url", `${origin.origin}/events`, "--secret", "whsec_a")).toBe(2);
    expect(command.printed).toContain("does not reach the receiver: the response, 307, leads to /login.");
  });

  test("is 1 if a precondition fails", async () => {
    const api = await closeAfterTest(startReferenceApi(["at-quota"]));
    const args = ["server", "--flow", "hosted", "--url", api.origin.origin, "--key", api.key];
    expect(
      await run(
        ...args,
        "--only",
        "5.4-created,5.2-created,5.2-pending,5.2-lives-30-seconds,5.2-challenge,5.4-test-names,5.5-accepts",
      ),
    ).toBe(1);
    const reason =
      'For example: POST /sandbox/v1/domains answers 422. It says quota_exceeded: "This tenant has 100 domains." Delete unused domains';
    expect(command.printed.replaceAll(/\n +/g, " ").split(reason)).toHaveLength(2);
    expect(command.printed).toContain("A correct domain is refused: 7 checks blocked");
    expect(command.printed).toContain("No MUST check failed, but 7 could not be run");
  });

  test("is 2 if the site's codes are for a different loopback host name", async () => {
    const url = await site();
    const other = url.replace("localhost", "127.0.0.1");
    expect(await run("server", "--url", other)).toBe(2);
    expect(command.printed).toContain(`codes are for localhost, but --url has 127.0.0.1. Pass --url ${url}/`);
  });

  test("is 2 if a different server responds", async () => {
    const url = await site();
    expect(await run("server", "--url", url, "--qr", "/nothing")).toBe(2);
    expect(command.printed).toContain("Pass its path with --qr");
    const words = createServer((_, response) => response.end('"text"'));
    const { origin } = await closeAfterTest(listen(words));
    expect(await run("server", "--url", origin.origin)).toBe(2);
    expect(command.printed).toContain("does not issue a login code (200).");
  });
});

describe("--flow fast", () => {
  const fastSite = async (...faults: string[]) =>
    (await closeAfterTest(startReferenceFastSite({ faults }))).origin.origin;
  const runFast = (url: string, ...args: string[]) => run("server", "--flow", "fast", "--url", url, ...args);

  test("returns the same exit status as other flows", async () => {
    expect(await runFast(await fastSite(), "--only", "6.3")).toBe(0);
    expect(command.printed).toContain("5 passed, 0 failed");
    expect(await runFast(await fastSite("status-leaks"), "--only", "6.3-tells-no-more")).toBe(1);
  });

  test("is suggested if the kit finds a fast login without this option", async () => {
    expect(await run("server", "--url", await fastSite(), "--qr", "/api/getqrcode")).toBe(2);
    expect(command.printed).toContain("--flow fast");
  });

  test("fails with an explanation if the site has a different login", async () => {
    expect(await runFast(await site(), "--qr", "/api/svc/qr")).toBe(2);
    expect(command.printed).toContain("omit --flow");
  });

  test("skips the checks that take two minutes and names the option that runs them", async () => {
    const { results } = await runFastChecks({
      target: { ...FAST_PATHS, origin: new URL(await fastSite()) },
      checks: FAST_CHECKS.filter(({ id }) => id === "6.1-slow-expired"),
      timeoutSeconds: 10,
    });
    expect(results).toMatchObject([
      { outcome: "skipped", message: "It takes two minutes. Run it with --slow." },
    ]);
  });
});

describe("the baseline", () => {
  const baseline = (text: string) => writeFileSync(join(command.folder, "known.txt"), text);

  test("does not fail the run for a check that it names", async () => {
    baseline("3.3-pending # until March\n");
    const args = ["--only", "3.3-pending", "--baseline", "known.txt"];
    expect(await run("server", "--url", await site("pending-leaks"), ...args)).toBe(0);
  });

  test.each([
    ["a check that passes", "3.3-pending"],
    ["an unknown check", "3.3-penning"],
  ])("fails the run if it is out of date: %s", async (_what, name) => {
    baseline(name);
    const args = ["--only", "3.3-pending", "--baseline", "known.txt"];
    expect(await run("server", "--url", await site(), ...args)).toBe(1);
    expect(command.printed).toContain(`The baseline names checks that no longer fail: ${name}`);
  });

  test("ignores checks that --only excludes", async () => {
    baseline("3.3-no-sid\n");
    const args = ["--only", "3.3-pending", "--baseline", "known.txt"];
    expect(await run("server", "--url", await site(), ...args)).toBe(0);
  });
});

describe("the report", () => {
  test("groups all checks that failed or were blocked because the same endpoint is broken", async () => {
    const sites = await closeAfterTest(startReferenceSite());
    const gate = createServer((request, response) => {
      if (request.url?.startsWith("/api/auth/callback/svc")) return void response.writeHead(404).end();
      const { method, headers } = request;
      const onward = httpRequest(new URL(request.url ?? "/", sites.origin), { method, headers }, (answer) => {
        answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
      });
      request.pipe(onward);
    });
    const { origin } = await closeAfterTest(listen(gate));
    const only = "3.5-sign-in,3.5-right-user,3.5-session-cookie,4.2-once";
    expect(await run("server", "--url", origin.origin, "--only", only, "--report", "report")).toBe(1);
    expect(command.printed).toContain("POST /api/auth/callback/svc answers 404: 3 checks blocked, 1 failed");
    expect(command.printed).toContain("How to fix it: This is the path of NextAuth.");
    expect(command.printed).toContain("Sent last: POST /api/auth/callback/svc");
    expect(command.printed).not.toContain("Failed MUST");
    const { checks }: Report = JSON.parse(read("report.json"));
    const reason = "POST /api/auth/callback/svc answers 404";
    expect(checks.map((check) => check.reason)).toEqual([reason, reason, reason, reason]);
  });

  test("is available as JSON, JUnit and an HTML page", async () => {
    const url = await site("pending-leaks");
    const only = ["--only", "3.3-pending", "--only", "3.3-no-sid"];
    await run("server", "--url", url, ...only, "--svc-login", "--report", "report");
    const report: Report = JSON.parse(read("report.json"));
    expect(report).toMatchObject({
      ...{ schema: "svc-conformance/2", subject: "server", target: url, holds: false, stale: [] },
      totals: { passed: 1, failed: 1, blocked: 0, skipped: 0 },
      requests: { at_most: 2000 },
    });
    const failed = report.checks.find(({ outcome }) => outcome === "failed");
    expect(failed).toMatchObject({ id: "3.3-pending", level: "MUST", anchor: "33-pending", known: false });
    expect(failed?.exchanges.at(-1)?.request).toMatch(/^GET \/api\/svc\/check\?sid=/);
    expect(read("junit.xml")).toContain('tests="2" failures="1" errors="0" skipped="0"');
    expect(failed).toMatchObject({ section: { title: "3.3 GET /api/svc/check" }, mend: failed?.fix });
    const html = read("report.html");
    for (const text of [failed?.message.slice(1), failed?.cause, failed?.why, failed?.fix, failed?.svc_login])
      expect(html).toContain(text?.split(/[`"'&<]/)[0]);
    expect(html).not.toMatch(/<script|<link|src=/);
    // Every link must lead to a heading or a table row on a page that is next to the report.
    const links = [...html.matchAll(/href="([^"#]*)#([^"]*)"/g)];
    expect(links.length).toBeGreaterThan(2);
    for (const [, page = "", anchor = ""] of links) expect(anchorsIn(read(page))).toContain(anchor);
  });

  test("shows what a failed check sent and expected, the cause, the fix and the protocol's section", async () => {
    await run("server", "--url", await site("pending-leaks"), "--only", "3.3-pending");
    const lines = command.printed.replaceAll(/\n +(?! *[A-Z][\w@/ -]*:)/g, " ");
    for (const label of ["Sent last: GET", "Came back: 200 {", "Expected: Until a wallet", "What happened:"])
      expect(lines).toContain(label);
    for (const label of ["Usual cause:", "How to fix it:", "Why it matters:"]) expect(lines).toContain(label);
    expect(lines).not.toContain("With @svc/login:");
    expect(lines).toContain("docs/protocol.md#33-get-apisvccheck");
    expect(lines).toMatch(/svc-conformance explain 3\.3-pending \(docs\/conformance-site\.md#33-pending\)/);
  });

  test("lists blocked checks first, then each failed MUST, then each failed SHOULD", async () => {
    const url = await site("untold", "no-cookie", "pending-leaks");
    await run("server", "--url", url, "--only", "11.1-told,4.1-secret,3.3-pending", "--report", "report");
    for (const text of [
      read("report.html"),
      command.printed.slice(command.printed.indexOf("Fix these first")),
    ]) {
      const places = ["Fix these first", "Failed MUST", "Failed SHOULD"].map((part) => text.indexOf(part));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);
    }
    expect(read("junit.xml")).toContain('failures="1" errors="1"');
    expect(read("junit.xml")).toContain("blocked: The response with the code does not set a cookie.");
    expect(command.printed).toContain("1 MUST check failed, and 1 could not be run.");
  });

  test("does not contain the value of a cookie", async () => {
    const url = await site("pending-leaks");
    await run("server", "--url", url, "--only", "3.3-pending", "--report", "report");
    const text = read("report.json");
    expect(text).toContain("set-cookie: svc-browser=…");
    expect(text).not.toMatch(/svc-browser=[\w-]{43}/);
  });

  test("escapes all text from the site", async () => {
    const { renderHtml, renderJunit } = await import("./report/render.ts");
    await run("server", "--url", await site("pending-leaks"), "--only", "3.3-pending", "--report", "report");
    const report: Report = JSON.parse(read("report.json"));
    const planted = "<script>alert(1)</script>\u0000\"'&";
    for (const check of report.checks) {
      Object.assign(check, { message: planted });
      for (const exchange of check.exchanges)
        Object.assign(exchange, { received: planted, request: planted });
    }
    expect(renderHtml(report)).not.toContain("<script");
    expect(renderJunit(report)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\\u0000&quot;");
  });
});

test("lists the skipped checks next to the verdict", async () => {
  const args = ["--only", "1.2-payload-page", "--only", "3.3-pending"];
  expect(await run("server", "--url", await site(), ...args)).toBe(0);
  expect(command.printed).toContain(
    "Every MUST check that ran passed. 1 MUST check was skipped: 1.2-payload-page.",
  );
});

test("reports checks that are blocked for the same reason together, with the check to fix first", async () => {
  const only = "1.1-refused-is-not-spent,1.4-der-tags,1.4-range,1.4-text";
  expect(await run("server", "--url", await site("refusal-spends"), "--only", only)).toBe(1);
  expect(command.printed).toContain("The challenge is spent by a refused response: 3 checks blocked");
  expect(command.printed).toContain("Fix first: 1.1-refused-is-not-spent");
});

test("prints every check of a section with --list, without sending a request", async () => {
  expect(await run("server", "--list", "--only", "4.3")).toBe(0);
  expect(command.printed.trim().split("\n")).toHaveLength(4);
  expect(command.printed).toContain("4.3-sign-out");
  command.printed = "";
  expect(await run("server", "--list", "--only", "4")).toBe(0);
  expect(command.printed).toMatch(/^4\.1-.*^4\.2-.*^4\.3-/ms);
});

function anchorsIn(page: string): string[] {
  const rows = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, anchor = ""]) => anchor);
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^a-z\d -]/g, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...rows];
}

describe("explain", () => {
  test("prints a check's requirement, its cause, its fix and its section of the protocol", async () => {
    expect(await run("explain", "1.1-single-use")).toBe(0);
    for (const text of [
      "1.1-single-use (MUST)",
      "A site MUST return 408",
      "Usual cause",
      "section 1.1 Challenge",
    ])
      expect(command.printed).toContain(text);
    expect(command.printed).toMatch(
      /docs\/protocol\.md#11-challenge\n.*docs\/conformance-site\.md#11-single-use\n/,
    );
  });

  test("exits with 2 for an unknown id", async () => {
    expect(await run("explain", "1.1-none")).toBe(2);
    expect(command.printed).toContain('There is no check "1.1-none".');
    expect(await run("explain", "single-use")).toBe(2);
    expect(command.printed).toContain("Did you mean 1.1-single-use");
  });
});
