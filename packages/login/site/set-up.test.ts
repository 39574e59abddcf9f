import { readFileSync } from "node:fs";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { createHostedLogin } from "../hosted.ts";
import { createLogin } from "../index.ts";
import { assertNodeVersion } from "./read-login-env.ts";
import { SITE_SETTINGS } from "./tests/site.fixture.ts";

afterEach(() => {
  vi.useRealTimers();
  // A process can have only one login, so the next test needs a fresh state.
  forgetProcess();
});

const SITES = [
  ["a site", createLogin],
  ["a customer's site", createHostedLogin],
] as const;

test("returns 503 after ten seconds if the setup hangs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const login = createLogin(() => new Promise<never>(() => {}));
  const responses = [
    login.routes.GET(new Request("https://shop.example/api/svc/qr")),
    login.auth.GET(new Request("https://shop.example/api/auth/session")),
    login.nextAuth.guard(async () => new Response("unguarded"))(
      new Request("https://shop.example/api/auth/session"),
      null,
    ),
  ];
  const session = login.currentSession(new Headers()).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  for (const answer of await Promise.all(responses)) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: "service_unavailable", details: {} } });
    expect(answer.headers.get("Retry-After")).toBe("2");
  }
  expect(await session).toMatchObject({
    code: "service_unavailable",
    cause: { name: "DatabaseTimeoutError" },
  });
  stderr.mockRestore();
});

test.each(SITES)("returns 503 if it cannot connect to the database in time: %s", async (_what, create) => {
  const away = new Error("timeout expired");
  const login = create(async () => ({
    ...SITE_SETTINGS,
    database: { run: () => Promise.reject(away) },
    ...{ apiUrl: new URL("https://login.example/v1"), apiKey: "svc_live_key", webhookSecrets: [] },
    findOrCreateUser: async () => "1",
  }));
  const sid = "a".repeat(22);
  const calls = [
    ...[login.currentSession(new Headers()), login.domain(), login.redeem(new Headers(), sid)],
    ...("recovery" in login
      ? [login.recovery.ofAccount(new Headers()), login.recovery.ofBrowser(new Headers())]
      : []),
  ];
  const refusal = {
    ...{ status: 503, code: "service_unavailable", cause: away },
    headers: { "Retry-After": "2" },
  };
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: refusal });
  }
});

test.each(SITES)("starts and returns 503 while the database is unreachable: %s", async (_what, create) => {
  const away = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const login = create(async () => {
    throw away;
  });
  await login.start();
  expect(stderr).toHaveBeenCalledExactlyOnceWith(
    `The database cannot be used: ${away.message}. Is DATABASE_URL right? Until it can be used, requests are answered with 503.\n`,
  );
  const answer = await login.routes.GET(new Request("https://shop.example/api/svc/qr"));
  expect(answer.status).toBe(503);
  stderr.mockRestore();
});

test.each(SITES)(
  "does not start on Node 20, and names the version that it needs: %s",
  async (_what, create) => {
    const { versions } = process;
    onTestFinished(() => void Object.defineProperty(process, "versions", { value: versions }));
    Object.defineProperty(process, "versions", { value: { ...versions, node: "20.20.2" } });
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const setUp = vi.fn();
    await create(setUp).start();
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    expect(stderr).toHaveBeenCalledExactlyOnceWith(
      `Not started:\nNode.js 22.18 or newer is needed, and this is 20.20.2 (${process.execPath}).\n`,
    );
    expect(setUp).not.toHaveBeenCalled();
  },
);

test("requires the same Node version as the packages and templates", () => {
  for (const file of ["packages/login", "packages/postgres", "examples/next-site"]) {
    const { engines } = JSON.parse(readFileSync(`${file}/package.json`, "utf8"));
    expect(engines, file).toEqual({ node: ">=22.18" });
  }
  for (const version of ["22.18.0", "22.18.1", "22.20.0", "24.0.0", "100.0.0"]) {
    expect(() => assertNodeVersion(version), version).not.toThrow();
  }
  for (const version of ["22.17.9", "22.9.0", "21.99.0", "9.0.0"]) {
    expect(() => assertNodeVersion(version), version).toThrow("Node.js 22.18 or newer is needed");
  }
});
