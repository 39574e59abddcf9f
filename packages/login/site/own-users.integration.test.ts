import type { NextAuthOptions } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { createTestDatabase, type TestDatabase } from "../../../tools/kit/database.ts";
import { createLogin } from "../index.ts";
import { shutDown } from "../process/state.ts";
import { ConfigurationError } from "./options.ts";
import { answerNewLogin, SITE_SETTINGS } from "./tests/site.fixture.ts";

let database: TestDatabase;
let exit: MockInstance<typeof process.exit>;
let stderr: MockInstance<typeof process.stderr.write>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(async () => {
  await shutDown(async () => {});
  forgetProcess();
});

const siteWithout = () => createLogin(async () => ({ ...SITE_SETTINGS, databaseUrl: database.url }));

function expectExit(
  prefix: "Not started" | "Stopped",
  requirement = "findOrCreateUser: required with nextAuth and redeem.",
): void {
  expect(exit).toHaveBeenCalledWith(1);
  expect(stderr).toHaveBeenCalledWith(expect.stringContaining(`${prefix}:\n${requirement}`));
}

test("does not start a site without findOrCreateUser if its NextAuth options are already loaded", async () => {
  const login = siteWithout();
  // @ts-expect-error: without findOrCreateUser, this is also a type error
  login.nextAuth.options({ providers: [] });
  await login.start();
  expectExit("Not started");
});

test("stops a site without findOrCreateUser if its NextAuth options are loaded after it has started", async () => {
  const login = siteWithout();
  await login.start();
  expect(exit).not.toHaveBeenCalled();
  // @ts-expect-error: without findOrCreateUser, this is also a type error
  login.nextAuth.options({ providers: [] });
  await vi.waitFor(() => expectExit("Stopped"));
});

test("does not sign users in with the login's own user ids on a site that has its own users", async () => {
  const login = siteWithout();
  await login.start();
  const { sid, cookie } = await answerNewLogin(login);
  // @ts-expect-error: without findOrCreateUser, this is also a type error
  const { provider } = login.nextAuth;
  await expect(provider.authorize({ sid }, { headers: { cookie } })).rejects.toThrow("ServiceUnavailable");
  // @ts-expect-error: without findOrCreateUser, this is also a type error
  const redemption: Promise<unknown> = login.redeem(new Headers({ cookie }), sid);
  await expect(redemption).rejects.toThrow(ConfigurationError);
});

const siteWith = () =>
  createLogin(async () => ({
    ...SITE_SETTINGS,
    databaseUrl: database.url,
    findOrCreateUser: async ({ userId }) => `customer-${userId}`,
  }));
const adapter: Adapter = {};
const itself: CredentialsConfig = {
  ...{ id: "svc", name: "Another", type: "credentials", credentials: {} },
  authorize: async () => null,
};

const UNFIT: [string, Partial<NextAuthOptions>, string][] = [
  ["an adapter without a session strategy", { adapter }, "session.strategy: expected jwt"],
  ["an adapter and no strategy", { adapter, session: { maxAge: 60 } }, "session.strategy: expected jwt"],
  ["sessions in a database", { session: { strategy: "database" } }, "session.strategy: expected jwt"],
  ["another provider with the wallet's name", { providers: [itself] }, "providers: another provider"],
];

test.each(UNFIT)(
  "does not start a site with unsuitable NextAuth options: %s",
  async (_what, siteOptions, requirement) => {
    const login = siteWith();
    login.nextAuth.options({ providers: [], ...siteOptions });
    await login.start();
    expectExit("Not started", requirement);
  },
);

test("stops a site if unsuitable NextAuth options are loaded after it has started", async () => {
  const login = siteWith();
  await login.start();
  expect(exit).not.toHaveBeenCalled();
  login.nextAuth.options({ providers: [], adapter });
  await vi.waitFor(() => expectExit("Stopped", "session.strategy: expected jwt"));
});

test("does not start a site that passes the result of Auth.js 5 to the guard", async () => {
  const login = siteWith();
  // @ts-expect-error: Auth.js 5 returns an object instead of a handler
  login.nextAuth.guard({ handlers: {}, auth() {} });
  await login.start();
  expectExit("Not started", "next-auth: version 4 is required.");
});

test.each<[string, Partial<NextAuthOptions>]>([
  ["no adapter", {}],
  ["an adapter and tokens", { adapter, session: { strategy: "jwt" } }],
])("starts a site with suitable NextAuth options: %s", async (_what, siteOptions) => {
  const login = siteWith();
  const { session, providers } = login.nextAuth.options({ providers: [], ...siteOptions });
  expect(session).toMatchObject({ strategy: "jwt" });
  expect(providers.map(({ id }) => id)).toEqual(["svc"]);
  await login.start();
  expect(exit).not.toHaveBeenCalled();
});

test("starts a site with findOrCreateUser, no matter when its NextAuth options are loaded", async () => {
  const login = siteWith();
  login.nextAuth.options({ providers: [] });
  await login.start();
  login.nextAuth.options({ providers: [] });
  expect(await login.domain()).toBe("shop.example");
  expect(exit).not.toHaveBeenCalled();
});
