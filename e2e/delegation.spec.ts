import { randomBytes } from "node:crypto";
import { formatDelegation } from "@svc/wallet/delegation-file";
import type { Page } from "playwright/test";
import { type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { approve, openCode, openNewWallet } from "./support/browser-wallet.ts";
import { type Customer, newCustomer } from "./support/customer.ts";
import { APP_URL, test as base, DATABASE_URL, expect } from "./support/fixtures.ts";
import { type NameProxy, startNameProxy } from "./support/name-proxy.ts";

type Site = { domain: string; customer: Customer; server: Receiver; proxy: NameProxy };

const FILE = "/.well-known/svc-login";

const test = base.extend<{ site: Site; app: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  site: async ({}, use) => {
    const [server, proxy] = await Promise.all([startReceiver(), startNameProxy()]);
    const domain = `shop-${randomBytes(6).toString("hex")}.localhost`;
    proxy.ports.set(`${domain}:80`, server.port);
    const customer = await newCustomer(APP_URL, DATABASE_URL);
    await customer.registerDomain(DATABASE_URL, { domain, webhookUrl: `${server.url}/events` });
    await use({ domain, customer, server, proxy });
    await Promise.all([server.close(), proxy.close()]);
  },
  // Chromium resolves every name below `localhost` to this machine, so the proxy forwards requests to the site's port.
  app: async ({ browser, site }, use) => {
    const context = await browser.newContext({
      baseURL: APP_URL,
      proxy: { server: site.proxy.url, bypass: "<-loopback>" },
    });
    const wallet = await context.newPage();
    await openNewWallet(wallet);
    await use(wallet);
    await context.close();
  },
});

const filesRead = ({ server }: Site) => server.received.filter(({ path }) => path === FILE);
/** Valid for nearly a minute by the wallet's clock, which is long enough to look at the code. */
function longLivedCode({ domain }: Site): string {
  const ts = String(Math.floor(Date.now() / 1000) + 25);
  const challenge = `svc:login:${domain}:${ts}:${"a".repeat(32)}`;
  return `svc://auth?${new URLSearchParams({ webhook: `${APP_URL}/webhook/sessions/1`, session: "1", challenge, ts })}`;
}

const inPhase = (wallet: Page, phase: string) => wallet.locator(`[data-phase=${phase}]`);

test("signs in through another host after the user has confirmed both names", async ({
  site,
  app: wallet,
}) => {
  const { domain, customer, server } = site;
  server.on(FILE, (response) =>
    response
      .writeHead(200, { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" })
      .end(formatDelegation(domain, ["localhost", "127.0.0.1"])),
  );
  await wallet.context().addCookies([{ name: "seen", value: "1", domain, path: "/", sameSite: "Lax" }]);

  const first = await customer.createSession(domain);
  await openCode(wallet, first.qr_data);
  await expect(inPhase(wallet, "elsewhere")).toBeVisible();
  await expect(wallet.getByText("the site has not confirmed it yet")).toBeVisible();
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);
  // If the wallet had sent an unwanted request, it would have arrived by now.
  await expect(wallet.getByRole("button", { name: "Check with the site" })).toBeEnabled();
  expect(filesRead(site)).toEqual([]);
  expect(site.proxy.asked).not.toContain(`${domain}:80`);

  await wallet.getByRole("button", { name: "Check with the site" }).click();
  await expect(inPhase(wallet, "asking")).toBeVisible();
  await expect(wallet.getByRole("heading", { name: domain })).toBeVisible();
  await expect(wallet.getByText("a login service that this site names as its own")).toBeVisible();
  await expect(wallet.getByText(new URL(APP_URL).host, { exact: true })).toBeVisible();
  const [question] = filesRead(site);
  expect(question?.method).toBe("GET");
  for (const name of ["cookie", "authorization", "referer"])
    expect(question?.headers).not.toHaveProperty(name);
  await approve(wallet);
  await expect(wallet.getByText(/is being signed in/).first()).toBeVisible();
  expect(await (await customer.get(`/sessions/${first.id}`)).json()).toMatchObject({
    status: "authenticated",
  });
  await wallet.getByRole("button", { name: "Done" }).click();

  // The wallet has cached the site's delegation file, which does not contain the host of this code.
  const second = await customer.createSession(domain);
  await openCode(wallet, second.qr_data.replace("localhost", "127.0.0.1"));
  await expect(inPhase(wallet, "asking")).toBeVisible();
  await expect(wallet.getByText(/^This is new: until now, your answers for/)).toBeVisible();
  expect(filesRead(site)).toHaveLength(1);
});

test("refuses a site without a delegation and shows which file it has to publish", async ({
  site,
  app: wallet,
}) => {
  const { domain, customer, server } = site;
  server.on(FILE, (response) => response.writeHead(404, { "Access-Control-Allow-Origin": "*" }).end());
  await openCode(wallet, longLivedCode(site));
  await expect(inPhase(wallet, "elsewhere")).toBeVisible();
  await expectAccessibleInAllViews(wallet);
  expect(filesRead(site)).toEqual([]);

  const refusal = inPhase(wallet, "refused");
  const question = refusal.getByText("Is this site yours?");
  let id = "";
  // A loaded machine can need longer than a code is valid. The next code then shows the question.
  await expect(async () => {
    const session = await customer.createSession(domain);
    id = session.id;
    await openCode(wallet, session.qr_data);
    await wallet.getByRole("button", { name: "Check with the site" }).click({ timeout: 10_000 });
    await expect(question).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await question.click();
  await expect(refusal.getByText(/the answer has status 404 instead of 200/)).toBeVisible();
  await expect(refusal).toContainText(`publish this at http://${domain}${FILE}`);
  await expect(refusal).toContainText(formatDelegation(domain, ["localhost"]));
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expectAccessibleInAllViews(wallet);
  expect(await (await customer.get(`/sessions/${id}`)).json()).toMatchObject({ status: "pending" });
  await wallet.getByRole("button", { name: "Done" }).click();

  // The wallet caches the failure too, and the user can still trust the host manually.
  const last = await customer.createSession(domain);
  await openCode(wallet, last.qr_data);
  await expect(refusal).toBeVisible();
  expect(filesRead(site)).toHaveLength(1);
  await wallet.getByRole("button", { name: "Does the site use a login service?" }).click();
  await wallet.getByRole("button", { name: "Trust it" }).click();
  await expect(wallet.getByText("a login service that you trust for this site")).toBeVisible();
  await approve(wallet);
  await expect(wallet.getByText(/is being signed in/).first()).toBeVisible();
  expect(await (await customer.get(`/sessions/${last.id}`)).json()).toMatchObject({
    status: "authenticated",
  });
  await wallet.getByRole("button", { name: "Done" }).click();

  // A host that the user trusts is trusted for only one domain.
  const { qr_data: next } = await customer.createSession(domain);
  await openCode(wallet, next.replaceAll(domain, "example.com"));
  await expect(
    wallet.getByText(/for example\.com, but the answer would go to localhost/).first(),
  ).toBeVisible();
});
