import { gzipSync } from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright/test";
import { backdateLogin } from "#tools/kit/sql.ts";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import {
  approve,
  createPassphraseWallet,
  createWallet,
  openCode,
  openNewWallet,
} from "./support/browser-wallet.ts";
import { APP_URL, DATABASE_URL, expect, readShownCode, readUserId, test } from "./support/fixtures.ts";
import { trialApproval as approval, openDemoWallet, trialWallet as wallet } from "./support/page.ts";

const SECONDS_ALLOWED = 10;
const CLICKS_ALLOWED = 3;

const SCREENS: [string, BrowserContextOptions][] = [
  ["a phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ["a desktop", { viewport: { width: 1440, height: 900 } }],
];

const tryOut = (page: Page) => page.getByRole("button", { name: /^Try it (in this tab|now)$/ });

/** Returns the sid of the register code on the page. */
async function startTrial(page: Page): Promise<string> {
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes("/api/svc/qr?mode=register")),
    tryOut(page).click(),
  ]);
  await expect(approval(page)).toBeEnabled();
  return (await response.json()).sid;
}

/** The page then reports that it is hidden behind another tab. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true });
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

for (const [screen, options] of SCREENS) {
  test(`signs a newcomer in from every page on ${screen} within ${SECONDS_ALLOWED} s and ${CLICKS_ALLOWED} clicks`, async ({
    newPage,
  }) => {
    const page = await newPage(options);
    const counts = { click: 0, keydown: 0, input: 0 };
    await page.exposeFunction("countEvent", (kind: keyof typeof counts) => counts[kind]++);
    await page.addInitScript(() => {
      const count: unknown = Object.getOwnPropertyDescriptor(window, "countEvent")?.value;
      if (typeof count !== "function") return;
      for (const kind of ["click", "keydown", "input"]) addEventListener(kind, () => count(kind), true);
    });
    const press = async (button: ReturnType<typeof tryOut>) =>
      await (options.hasTouch ? button.tap() : button.click());
    for (const path of ["/", "/login", "/register"]) {
      await page.context().clearCookies();
      counts.click = 0;
      await page.goto(path);
      await press(tryOut(page));
      await expect(wallet(page).getByText("localhost", { exact: true }).first()).toBeInViewport();
      await expect(wallet(page).getByText("Create an account", { exact: true })).toBeVisible();
      await expect(approval(page)).toBeInViewport({ ratio: 1 });
      await press(approval(page));
      // A visitor who starts the trial at `/` stays there.
      const signedIn =
        path === "/"
          ? page.getByRole("region", { name: "You’re signed in" })
          : page.getByRole("heading", { name: "Your temporary wallet is gone" });
      await expect(signedIn, path).toBeInViewport({ timeout: SECONDS_ALLOWED * 1000 });
      expect(new URL(page.url()).pathname).toBe(path === "/" ? "/" : "/dashboard");
      expect(counts.click, path).toBeLessThanOrEqual(CLICKS_ALLOWED);
      expect(counts, path).toMatchObject({ keydown: 0, input: 0 });
      expect(await readUserId(page), path).toEqual(expect.any(Number));
    }
  });
}

test("neither stores nor sends the trial wallet's seed", async ({ page, context }) => {
  await page.addInitScript(() => {
    const seeds: number[][] = [];
    Object.assign(window, { seeds });
    const draw = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
      draw(array as unknown as Uint8Array<ArrayBuffer>);
      if (array instanceof Uint8Array && array.length === 64) seeds.push([...array]);
      return array;
    };
  });
  const drawn = async () => {
    const seeds: number[][] = await page.evaluate(
      () => Object.getOwnPropertyDescriptor(window, "seeds")?.value,
    );
    return seeds.map((seed) => Buffer.from(seed));
  };
  const requestTexts: string[] = [];
  page.on("request", (request) => requestTexts.push(request.url(), request.postData() ?? ""));
  await page.goto("/register");
  await startTrial(page);
  const [seed = Buffer.alloc(0), ...others] = await drawn();
  expect(seed).toHaveLength(64);
  expect(others).toEqual([]);

  const storedBytes = await page.evaluate(async () => ({
    storages: { ...localStorage, ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    history: history.state,
    name: window.name,
  }));
  expect(storedBytes).toMatchObject({ storages: {}, databases: [], caches: [], name: "" });
  await page.reload();
  await expect(tryOut(page)).toBeVisible();
  await expect(wallet(page)).toHaveCount(0);
  await startTrial(page);
  const [second = seed] = await drawn();
  expect(second.equals(seed)).toBe(false);

  await approval(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const everywhere = JSON.stringify([
    storedBytes,
    requestTexts,
    await context.cookies(),
    await context.storageState(),
  ]);
  for (const secret of [seed, second]) {
    for (const form of ["hex", "base64", "base64url"] as const) {
      // Not even half of the secret may appear.
      expect(everywhere).not.toContain(secret.subarray(0, 33).toString(form));
      expect(everywhere).not.toContain(secret.subarray(33).toString(form));
    }
  }
  expect(requestTexts.some((body) => body.includes('"platform":"trial"'))).toBe(true);
  await page.goBack();
  await expect(tryOut(page)).toBeVisible();
  await expect(wallet(page)).toHaveCount(0);
});

test("lets visitors use the trial wallet with only the keyboard", async ({ page }) => {
  const posted: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posted.push(request.url()));
  await page.goto("/login");
  await readShownCode(page);
  await tryOut(page).focus();
  await page.keyboard.press("Enter");
  await expect(wallet(page).getByRole("heading", { name: "Temporary wallet" })).toBeFocused();
  await expect(wallet(page)).toContainText("It exists only in this tab");
  await expect(wallet(page)).toContainText("Exactly what this wallet signs");
  await expect(page.getByRole("heading", { name: "What localhost gets" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "It does not get" })).toBeVisible();
  await expect(page.getByRole("link", { name: /create one in this browser/ })).toHaveAttribute(
    "href",
    /^\/wallet#svc/,
  );
  await expect(approval(page)).toBeEnabled();
  const decline = wallet(page).getByRole("button", { name: "Decline" });
  await page.keyboard.press("Tab");
  await expect(decline).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(wallet(page)).toHaveCount(0);
  await expect(tryOut(page)).toBeFocused();
  expect((await readShownCode(page)).challenge).toMatch(/^svc:login:/);
  expect(posted).toEqual([]);

  await startTrial(page);
  await decline.focus();
  await page.keyboard.press("Tab");
  await expect(approval(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("does not load the wallet on a login page before the user opens it", async ({ page }) => {
  const scripts: Promise<{ text: string; bytes: number }>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    const weigh = async () => gzipSync(await response.body()).length;
    scripts.push(Promise.all([response.text(), weigh()]).then(([text, bytes]) => ({ text, bytes })));
  });
  const loaded = async () =>
    (await Promise.all(scripts)).filter(({ text }) => text.includes("svc-device:")).length;
  const weight = async () => (await Promise.all(scripts)).reduce((sum, { bytes }) => sum + bytes, 0);
  await page.goto("/login", { waitUntil: "networkidle" });
  await readShownCode(page);
  expect(await loaded()).toBe(0);
  const login = await weight();
  await startTrial(page);
  expect(await loaded()).toBe(1);

  scripts.length = 0;
  await page.goto("/nothing-here", { waitUntil: "networkidle" });
  // A page of this project has at least a header with a sign-out button and a theme switch. It is therefore a tenth
  // larger than an empty Next.js page.
  expect(login / (await weight())).toBeLessThan(1.35 / 1.1);
});

test("shows an accessible trial wallet that fits the viewport", async ({ page }) => {
  await page.goto("/register");
  await startTrial(page);
  await expectAccessibleInAllViews(page);
  await approval(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expectAccessibleInAllViews(page);
  const notice = page.getByRole("heading", { name: "Your temporary wallet is gone" });
  await expect(notice).toBeVisible();
  await page.getByRole("link", { name: "Add a permanent wallet" }).click();
  await readShownCode(page);
  const lastingPage = await openDemoWallet(page);
  await createWallet(lastingPage);
  await approve(lastingPage);
  await expect(page).toHaveURL(/\/dashboard\/add\/confirm/);
  // The wallet's tab closes and shows the page with the code again.
  await Promise.all([
    lastingPage.waitForEvent("close"),
    lastingPage.getByRole("link", { name: "Back to localhost" }).click(),
  ]);
  await page.getByRole("button", { name: /add/i }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test.describe("an expiring code", () => {
  test("is renewed in the trial wallet", async ({ page }) => {
    await page.goto("/login");
    const sid = await startTrial(page);
    await backdateLogin(DATABASE_URL, sid, 31);
    await approval(page).click();
    await expect(wallet(page)).toContainText("That code has expired");
    await approval(page).click();
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test("is renewed in a wallet that is being set up, without losing typed text", async ({ page }) => {
    // When the page gets the first code, the code is already 27 seconds old.
    await page.route(
      "**/api/svc/qr*",
      async (route) => {
        const response = await route.fetch();
        const body = await response.text();
        const ts = Number(/ts=(\d+)/.exec(body)?.[1]);
        await route.fulfill({ response, body: body.replaceAll(String(ts), String(ts - 27)) });
      },
      { times: 1 },
    );
    await page.goto("/register");
    const shownChallenge = async () => (await readShownCode(page)).challenge;
    const { session, challenge: oldChallenge } = await readShownCode(page);
    const lastingPage = await openDemoWallet(page);
    await hide(page);
    await expect(lastingPage.getByText(/A sign-in is waiting/)).toBeVisible();
    // A slow browser might already have shown the second code, which lasts for the usual time.
    await expect.poll(shownChallenge, { timeout: 60_000 }).not.toBe(oldChallenge);
    await createPassphraseWallet(lastingPage);

    const passphrase = lastingPage.getByLabel("Passphrase for this wallet");
    await passphrase.fill("half of it");
    const heldChallenge = await shownChallenge();
    await page.evaluate(askForNextCode, { session, held: heldChallenge });
    await expect.poll(shownChallenge).not.toBe(heldChallenge);
    await lastingPage.getByText("Details of what will be signed and sent").click();
    const [nonce = ""] = (await shownChallenge()).split(":").slice(-1);
    await expect(
      lastingPage.getByText(`${nonce.slice(0, 4)}…${nonce.slice(-4)}`, { exact: true }),
    ).toBeVisible();
    await expect(passphrase).toHaveValue("half of it");

    await backdateLogin(DATABASE_URL, session, 31);
    await approve(lastingPage);
    await expect(lastingPage.getByText(/That code has expired/).first()).toBeVisible();
    await approve(lastingPage);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test("cannot be renewed in a permanent wallet, which explains how to get a new code", async ({
    context,
  }) => {
    const lastingPage = await context.newPage();
    await openNewWallet(lastingPage);
    const ts = Math.floor(Date.now() / 1000) - 15;
    const challenge = `svc:login:localhost:${ts}:${"a".repeat(32)}`;
    await openCode(
      lastingPage,
      `svc://auth?${new URLSearchParams({ webhook: `${APP_URL}/webhook/login`, session: "nobody", challenge })}`,
    );
    await expect(lastingPage.getByText(/scan the new code there/).first()).toBeVisible();
    await expect(lastingPage.getByRole("button", { name: "Approve" })).toHaveCount(0);
  });
});

test("ignores codes from another login or another origin while the wallet is asking its user", async ({
  page,
  context,
}) => {
  const issued: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/api/svc/qr")) issued.push((await response.json()).challenge);
  });
  await page.goto("/register");
  const firstCode = await readShownCode(page);
  const payload = firstCode.text;
  const lastingPage = await context.newPage();
  await openNewWallet(lastingPage);
  const posted: string[] = [];
  lastingPage.on(
    "request",
    (request) => request.method() === "POST" && posted.push(request.postData() ?? ""),
  );
  await openCode(lastingPage, payload);
  await expect(lastingPage.getByRole("button", { name: "Approve" })).toBeEnabled();

  // A different code of this login, which stands for a code that someone has photographed.
  const laterCode = payload.replace(firstCode.challenge.slice(-32), "z".repeat(32));
  const others = [
    payload.replace("webhook=http", "webhook=https").replace("localhost", "evil.example"),
    laterCode.replaceAll("localhost", "evil.example"),
    laterCode.replace("register%3A", "login%3A"),
    laterCode.replace(firstCode.session, "another-login"),
  ];
  const stranger = await context.newPage();
  await stranger.goto(`${APP_URL.replace("localhost", "127.0.0.1")}/`);
  await stranger.evaluate(broadcastCodes, { session: firstCode.session, codes: [laterCode, ...others] });
  const neighbour = await context.newPage();
  await neighbour.goto("/");
  await neighbour.evaluate(broadcastCodes, { session: firstCode.session, codes: others });

  await approve(lastingPage);
  await expect(page).toHaveURL(/\/dashboard$/);
  // On a slow machine, the page might already have requested the next code itself.
  expect(posted).toHaveLength(1);
  expect(issued).toContain(JSON.parse(posted[0] ?? "").challenge);
});

function askForNextCode(login: { session: string; held: string }): void {
  const channel = new BroadcastChannel("svc-code-handover");
  channel.postMessage({ kind: "wanted", ...login });
  channel.close();
}

/** Broadcasts codes as a login page does. Resolves when another page on this origin would have received the codes. */
function broadcastCodes({ session, codes }: { session: string; codes: string[] }): Promise<void> {
  const channel = new BroadcastChannel("svc-code-handover");
  const witness = new BroadcastChannel("svc-code-handover");
  return new Promise((resolve) => {
    let messages = 0;
    witness.onmessage = () => {
      messages++;
      if (messages === codes.length) resolve();
    };
    for (const qr of codes) channel.postMessage({ kind: "code", session, qr });
  });
}
