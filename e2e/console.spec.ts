import { createHmac } from "node:crypto";
import type { Locator, Page } from "playwright/test";
import { type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { sql } from "#tools/kit/sql.ts";
import { expectAccessible, expectAccessibleInAllViews, measureOverflow } from "./support/accessible.ts";
import { APP_URL, test as base, DATABASE_URL, DOMAIN, expect } from "./support/fixtures.ts";
import { holdScripts, watchShifts } from "./support/page.ts";

const test = base.extend<{ user: Page; receiver: Receiver }>({
  user: async ({ page, wallet }, use) => {
    await wallet.signIn(page);
    await use(page);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto("/console/test/keys");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  const keyText = page.locator("code", { hasText: /^svc_test_.{43}$/ });
  await expect(keyText).toBeVisible();
  return keyText.innerText();
}

/** In test mode. Returns the domain's secret. Afterwards, `page` shows the domain. */
async function registerDomain(page: Page, domain: string, webhookUrl: string): Promise<string> {
  await page.goto("/console/test/domains");
  await page.getByLabel("Domain", { exact: true }).fill(domain);
  await page.getByLabel("Webhook URL").fill(webhookUrl);
  await page.getByRole("button", { name: "Register domain" }).click();
  const secret = await page.locator("code", { hasText: /^whsec_/ }).innerText();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page).toHaveURL(/\/domains\/dom_/);
  return secret;
}

function createSession(key: string, domain: string): Promise<Response> {
  return fetch(new URL("/sandbox/v1/sessions", APP_URL), {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ domain }),
  });
}

const signatureOf = (body: Buffer, secret: string) => createHmac("sha256", secret).update(body).digest("hex");

test("leads from the login to the first delivered event in at most eight clicks", async ({ page }) => {
  let clicks = 0;
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
  };
  await page.goto("/console/test");
  await expect(page).toHaveURL(/\/login\?callbackUrl=%2Fconsole%2Ftest$/);
  await expect(page.getByText(/Sign in to open your console/)).toBeVisible();
  await click(page.getByRole("button", { name: "Try it in this tab" }));
  await click(page.getByRole("button", { name: "Approve" }));
  await expect(page).toHaveURL(/\/console\/test$/);
  const shifts = await watchShifts(page);
  await click(page.getByRole("link", { name: "Start a test login" }));
  await expect(page.getByRole("region", { name: "Sign in to localhost" })).toBeVisible();
  const timeline = page.getByRole("region", { name: "What happens" }).getByRole("listitem");
  await expect(timeline).toContainText(["Challenge issued"]);
  await expectAccessibleInAllViews(page);
  // Resizing the window has moved everything, which does not count.
  await page.setViewportSize({ width: 1280, height: 800 });
  const before = await shifts();
  await click(page.getByRole("button", { name: "Approve" }));
  await expect(page.getByRole("heading", { name: "Your event is delivered" })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(8);
  await expect(timeline).toContainText([
    "Challenge issued",
    "accepted",
    "Event recorded",
    /200 in \d+ ms from the test inbox/,
  ]);
  await expect(page.getByText(/webhook-signature: v1,/)).toBeVisible();
  await expect(page.getByText(/"event": "login"/)).toBeVisible();
  // The limit for a good score in Web Vitals.
  expect((await shifts()) - before).toBeLessThan(0.1);
  await expectAccessibleInAllViews(page);

  await page.goto("/console/test/events");
  await page.getByText("Delivered", { exact: true }).last().click();
  await expect(page.getByText(/x-svc-signature: [0-9a-f]{64}/)).toBeVisible();
  await expectAccessibleInAllViews(page);
});

test("creates a key, delivers an event and revokes the key", async ({ user: page, wallet, receiver }) => {
  await page.goto("/console");
  await expect(page).toHaveURL(/\/console\/test$/);
  await page.getByRole("link", { name: "Create a key" }).click();
  const key = await createKey(page, "First key");
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText(key)).toHaveCount(0);
  await expect(page.getByText("never used")).toBeVisible();

  const secret = await registerDomain(page, "localhost", `${receiver.url}/events`);
  await expect(page.getByText("Proved", { exact: true })).toBeVisible();
  await expect(page.getByText("2 of 3 done")).toBeVisible();

  const session = await (await createSession(key, "localhost")).json();
  expect(await wallet.forge(session.qr_data)).toMatchObject({ status: 406 });
  await wallet.approve(session.qr_data);
  const event = await receiver.nth("/events", 1);
  expect(event.headers["x-svc-signature"]).toBe(signatureOf(event.body, secret));
  expect(JSON.parse(event.body.toString())).toMatchObject({
    event: "login",
    session_id: session.id,
    data: { public_key: wallet.publicKey(DOMAIN) },
  });

  await page.goto("/console/test/sessions");
  const find = page.getByRole("searchbox", { name: "Find by id" });
  await find.fill(String(event.headers["webhook-id"]));
  await find.press("Enter");
  await expect(page.getByRole("heading", { name: "Event", exact: true })).toBeVisible();
  await expect(page.getByText(/"event": "login"/)).toBeVisible();
  await find.fill("a session that is gone");
  await find.press("Enter");
  await expect(page.getByText("No event matches these filters.")).toBeVisible();
  await find.fill(session.id);
  await find.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/console/test/sessions/${session.id}$`));
  const timeline = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  await expect(timeline).toContainText([
    "Challenge issued",
    "refused",
    "accepted",
    "Event recorded",
    /204 in \d+ ms/,
  ]);
  await expect(timeline.last()).toContainText(/\+[\d,]+ ms/);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Events in this session" }).click();
  await page.getByText("Delivered", { exact: true }).last().click();
  await page.getByRole("button", { name: "Send again" }).click();
  const secondEvent = await receiver.nth("/events", 2);
  expect(secondEvent.headers["webhook-id"]).toBe(event.headers["webhook-id"]);
  expect(secondEvent.body.equals(event.body)).toBe(true);
  await expectAccessible(page);

  // The event reaches the receiver before the API's response reaches the console.
  await expect(async () => {
    await page.goto("/console/test");
    await expect(page.getByText("You are set up")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const chart = /^1 login in the last 24 hours, by hour; 0 of their events were not accepted$/;
  await expect(page.getByRole("img", { name: chart })).toBeVisible();
  await expect(page.getByText(session.id)).toBeVisible();
  await expectAccessible(page);

  await page.goto("/console/test/keys");
  await page.getByRole("button", { name: "Revoke First key" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  expect((await createSession(key, "localhost")).status).toBe(401);
});

test("shows why a delivery failed, and delivers the event to a new URL", async ({ user: page, receiver }) => {
  receiver.on("/broken", (response) => response.writeHead(503).end("out of order"));
  receiver.on("/gone", (response) => response.writeHead(410).end());
  const saveUrl = async (path: string) => {
    await page.getByLabel("URL", { exact: true }).fill(receiver.url + path);
    await page.getByRole("button", { name: "Save URL" }).click();
    await expect(page.getByText(/^Saved/)).toBeVisible();
  };
  const before = await registerDomain(page, "shop.test", `${receiver.url}/broken`);
  await page.getByRole("button", { name: "Send test event" }).click();
  const events = page.getByRole("region", { name: "Latest events" });
  await expect(events.getByText("Retrying")).toBeVisible();
  await expect(events.getByText(/^503 in \d+ ms/)).toBeVisible();
  await expect(events.getByText(/Next attempt in \d+ s/)).toBeVisible();
  await events.getByText("Retrying").click();
  await expect(events.getByText("out of order")).toBeVisible();
  await expectAccessible(page);

  await saveUrl("/gone");
  await events.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText(/This endpoint responded with 410/)).toBeVisible();
  await expect(events.getByText("Failed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toBeDisabled();
  await expectAccessible(page);
  await saveUrl("/events");
  await expect(page.getByText(/This endpoint responded with 410/)).toHaveCount(0);
  await events.getByRole("button", { name: "Send again" }).click();
  await receiver.nth("/events", 1);
  await expect(events.getByText("Delivered")).toBeVisible();

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Create a new secret" }).click();
  const secret = await page.locator("code", { hasText: /^whsec_/ }).innerText();
  expect(secret).not.toBe(before);
  await page.getByRole("button", { name: "Send test event" }).click();
  const event = await receiver.nth("/events", 2);
  expect(event.headers["x-svc-signature"]).toBe(signatureOf(event.body, secret));
  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
});

test("does not start a test login from a link on another page until the user clicks", async ({
  user: page,
}) => {
  const target = new URL("/console/test/test-login", APP_URL).href;
  const domains = async () => (await (await page.request.get("/api/console/test/domains")).json()).domains;
  await page.goto("about:blank");
  await page.setContent(`<a href="${target}">A present for you</a>`);
  await page.getByRole("link").click();
  const start = page.getByRole("button", { name: "Start a test login" });
  await expect(start).toBeEnabled();
  await expectAccessible(page);
  expect(await domains()).toEqual([]);
  await start.click();
  await expect(page.getByRole("region", { name: "Sign in to localhost" })).toBeVisible();
  await expect.poll(domains).toMatchObject([{ domain: "localhost" }]);
});

test("shows each error next to its field, and offers the test inbox to a domain without a webhook", async ({
  user: page,
  context,
}) => {
  await page.goto("/console/test/domains");
  const domain = page.getByLabel("Domain", { exact: true });
  await domain.fill("shop test");
  await page.getByRole("button", { name: "Register domain" }).click();
  await expect(domain).toHaveAccessibleDescription(/Expected a hostname/);
  await expectAccessible(page);
  await domain.fill("https://shop.test/login");
  await page.getByRole("button", { name: "Register domain" }).click();
  await expect(page.getByText("Registered. This is the domain’s webhook secret")).toBeVisible();
  await expect(page.getByText("Events go to the test inbox")).toBeVisible();
  await page.getByRole("button", { name: "I have stored it" }).click();

  const list = await context.newPage();
  await list.goto("/console/test/events");
  await expect(list.getByText("No event yet")).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).click();
  await list.bringToFront();
  await expect(list.getByText(/200 in \d+ ms from the test inbox/)).toBeVisible();
});

test("shows what an unverified domain has to publish and what was found instead", async ({ user: page }) => {
  await registerDomain(page, "unproved.example.com", "https://unproved.example.com/x");
  await expect(page.getByText("_svc-challenge.unproved.example.com")).toBeVisible();
  await expect(page.getByText(/^svc-verify=/).first()).toBeVisible();
  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByRole("heading", { name: "Result of the last check" })).toBeVisible({
    timeout: 40_000,
  });
  await expect(page.getByText("TXT _svc-challenge.unproved.example.com")).toBeVisible();

  const card = page.getByRole("region", { name: "2. Allow wallets to answer" });
  await expect(card.getByText("https://unproved.example.com/.well-known/svc-login")).toBeVisible();
  await expect(
    card.getByText('{"domain":"unproved.example.com","webhook_hosts":["localhost"]}'),
  ).toBeVisible();
  const unreachable = card.getByText(/We couldn’t check: the host has no public address/);
  await expect(unreachable).toBeVisible();
  await expectAccessible(page);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const states = [
    { status: "ok", reason: null, shown: /Wallets send their answers here/ },
    { status: "missing", reason: "the answer has status 404 instead of 200", shown: /status 404/ },
    { status: "invalid", reason: 'its "webhook_hosts" does not name localhost', shown: /does not name/ },
  ];
  for (const { status, reason, shown } of states) {
    await sql(
      DATABASE_URL,
      `UPDATE domain SET verified_at = now(), delegation_status = $2::delegation_status, delegation_reason = $3
       WHERE id = $1`,
      [id, status, reason],
    );
    await page.reload();
    await expect(card.getByText(shown)).toBeVisible();
    await expect(page.getByText(status === "ok" ? "2 of 3 done" : "1 of 3 done")).toBeVisible();
    await expect(card.getByText("Last checked")).toBeVisible();
    // The statuses differ only in the card, so the rest of the page is checked only once.
    await expectAccessibleInAllViews(page, status === "ok" ? [] : ["[aria-labelledby=delegation]"]);
  }
  await card.getByRole("button", { name: "Check again" }).click();
  await expect(unreachable).toBeVisible();

  await page.getByRole("button", { name: "Delete domain" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expect(page).toHaveURL(/\/console\/test\/domains$/);
  await expect(page.getByText("No domain yet")).toBeVisible();
  await registerDomain(page, "localhost", "https://hooks.example.com/x");
  await expect(card.getByText(/this domain, so there is nothing to publish/)).toBeVisible();
});

test("distinguishes valid, invalid and unreadable signatures that a user pastes", async ({ user: page }) => {
  const key = await createKey(page, "Pasted early");
  const runScripts = await holdScripts(page);
  await page.goto("/docs/api", { waitUntil: "commit" });
  await page.getByLabel("API key").fill(key);
  runScripts();
  const operation = page.locator("#verifySignature");
  await operation.getByText("Try it").click();
  await expect(operation.getByRole("button", { name: "Send with the test key" })).toBeVisible();

  const runNextScripts = await holdScripts(page);
  await page.goto("/console/test/signatures", { waitUntil: "commit" });
  const field = (name: string) => page.getByRole("textbox", { name });
  const check = page.getByRole("button", { name: "Check signature" });
  for (const name of ["Public key", "Signature", "Message"]) await field(name).fill("pasted");
  runNextScripts();
  await check.click();
  await expect(page.getByText(/The public key is not a secp256k1 key/)).toBeVisible();
  await page.getByRole("button", { name: "Fill in an example" }).click();
  await check.click();
  await expect(page.getByText(/^Valid:/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await measureOverflow(page)).toBe(0);
  await field("Message").fill("another message");
  await check.click();
  await expect(page.getByText(/^Not valid:/)).toBeVisible();
  await field("Signature").fill("30");
  await check.click();
  await expect(page.getByText(/not the hex of a DER-encoded/)).toBeVisible();
});

test("shows accessible empty pages that fit narrow and wide viewports, in light and dark mode", async ({
  user: page,
}) => {
  for (const path of ["", "/keys", "/domains", "/events", "/sessions", "/signatures"]) {
    await page.goto(`/console/live${path}`);
    await expectAccessibleInAllViews(page);
  }
});
