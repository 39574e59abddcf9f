import { expect, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { readUserId, signInBrowser } from "#tools/kit/login.ts";
import { startReceiver } from "#tools/kit/receiver.ts";
import { runAdmin } from "#tools/kit/run-admin.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** No user is signed out and no event is delayed (docs/reliability.md). */

const OLD = "the secret before, which is long enough";
const NEW = "the secret after, which is long enough too";

async function withSecrets<Value>(variables: Record<string, string>, act: (url: string) => Promise<Value>) {
  const app = await startApp({
    TRUSTED_PROXIES: "1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
    LOG_LEVEL: "warn",
    ...variables,
  });
  try {
    return await act(app.url);
  } finally {
    await app.stop();
  }
}

const reseal = async (variables: Record<string, string>) =>
  (await runAdmin(variables, ["secrets", "reseal", "--json"])).json();

test("keeps sessions and event signatures valid throughout the rotation", {
  timeout: 240_000,
}, async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const DATABASE_URL = database.url;
  const before = { DATABASE_URL, NEXTAUTH_SECRET: OLD };
  const during = { DATABASE_URL, NEXTAUTH_SECRET: NEW, NEXTAUTH_SECRET_PREVIOUS: OLD };
  const after = { DATABASE_URL, NEXTAUTH_SECRET: NEW };
  const { browser, customer, domain } = await withSecrets(before, async (url) => {
    const customer = await newCustomer(url, database.url);
    const webhookUrl = `${receiver.url}/events`;
    const { domain, id } = await customer.registerDomain(database.url, { webhookUrl });
    for (let n = 0; n < 2; n++) await customer.post(`/domains/${id}/rotate-secret`);
    return { ...(await signInBrowser(url)), customer, domain };
  });
  let deliveredCount = 0;
  const deliversAt = async (url: string) => {
    const session = await customer.at(url).createSession(domain);
    const walletResponse = new TestWallet().response(session.challenge);
    expect((await new Client(url).post(`/webhook/sessions/${session.id}`, walletResponse)).status).toBe(200);
    await receiver.nth("/events", ++deliveredCount);
  };
  const isSignedIn = (url: string) => {
    const otherClient = new Client(url);
    // Over plain HTTP, cookie names contain the port, which differs between processes.
    for (const [name, value] of browser.cookies) {
      otherClient.cookies.set(name.replace(/^port-\d+-/, `port-${new URL(url).port}-`), value);
    }
    return readUserId(otherClient);
  };

  await withSecrets(during, async (url) => {
    expect(await isSignedIn(url)).not.toBeNull();
    expect((await signInBrowser(url)).userId).not.toBeNull();
    await deliversAt(url);
  });
  expect(await reseal(after)).toMatchObject({
    resealed: 0,
    unreadable: [expect.any(String)],
  });
  expect(await reseal(during)).toEqual({ resealed: 1, current: 0, unreadable: [] });
  expect(await reseal(during)).toEqual({ resealed: 0, current: 1, unreadable: [] });
  await withSecrets(after, async (url) => {
    await deliversAt(url);
    expect(await isSignedIn(url)).toBeNull();
  });
  const [first, last] = receiver.received.map(
    ({ headers }) => headers["webhook-signature"]?.split(" ").length,
  );
  expect([first, last]).toEqual([3, 3]);
});
