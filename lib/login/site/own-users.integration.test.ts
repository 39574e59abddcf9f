import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/kit/database.ts";
import { shutDown } from "../process/state.ts";
import { createLogin } from "./create-login.ts";
import { ConfigurationError } from "./env-values.ts";
import { answeredLogin, SETTINGS } from "./tests/site.fixture.ts";

/** A site without users of its own: its wallets' users are the login's numbers, and so may others of the site be. */

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
  // A process has one login.
  forgetProcess();
});

const siteWithout = () => createLogin(async () => ({ ...SETTINGS, databaseUrl: database.url }));

function expectExit(said: "Not started" | "Stopped"): void {
  expect(exit).toHaveBeenCalledWith(1);
  const message = new RegExp(`^${said}:\nfindOrCreateUser: required with nextAuth and redeem\\.`);
  expect(stderr).toHaveBeenCalledWith(expect.stringMatching(message));
}

test("a site whose NextAuth options were loaded before its start does not start, and says what it needs", async () => {
  const login = siteWithout();
  // @ts-expect-error: a type error too, for whoever writes the options
  expect(login.nextAuth).toBeDefined();
  await login.start();
  expectExit("Not started");
});

test("a site whose NextAuth options are loaded after its start stops, and says what it needs", async () => {
  const login = siteWithout();
  await login.start();
  expect(exit).not.toHaveBeenCalled();
  // @ts-expect-error: as above
  expect(login.nextAuth).toBeDefined();
  await vi.waitFor(() => expectExit("Stopped"));
});

test("nobody is signed in beside other users by the login's number, by NextAuth or by redeeming", async () => {
  const login = siteWithout();
  await login.start();
  const { sid, cookie } = await answeredLogin(login);
  // @ts-expect-error: as above
  const { provider } = login.nextAuth;
  await expect(provider.authorize({ sid }, { headers: { cookie } })).rejects.toThrow("ServiceUnavailable");
  // @ts-expect-error: and so is this
  const redeemed: Promise<unknown> = login.redeem(new Headers({ cookie }), sid);
  await expect(redeemed).rejects.toThrow(ConfigurationError);
});

test("a site with users of its own starts, whenever its NextAuth options are loaded", async () => {
  const login = createLogin(async () => ({
    ...SETTINGS,
    databaseUrl: database.url,
    findOrCreateUser: async ({ userId }) => `customer-${userId}`,
  }));
  expect(login.nextAuth).toBeDefined();
  await login.start();
  expect(login.nextAuth).toBeDefined();
  expect(await login.domain()).toBe("shop.example");
  expect(exit).not.toHaveBeenCalled();
});
