import { type Browser, type BrowserContext, chromium, type Page } from "playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import {
  approve,
  createPassphraseWallet,
  lockByPassphrase,
  openCode,
  openNewWallet,
  PASSPHRASE,
  PHRASE,
  restoreWallet,
} from "./support/browser-wallet.ts";
import { FakeCamera } from "./support/fake-camera.ts";
import {
  APP_URL,
  test as base,
  expect,
  issueCode,
  readLoginStatus,
  readShownCode,
  signIn,
} from "./support/fixtures.ts";
import { LAUNCH_OPTIONS } from "./support/launch-options.ts";
import { startNewerVersionProxy } from "./support/newer-version.ts";
import { filmTwoScreens } from "./support/two-screens.ts";

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** The window of a phone. The camera shows a picture from the test. */
const test = base.extend<{ phone: BrowserContext; app: Page }, { camera: FakeCamera; phones: Browser }>({
  camera: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const camera = new FakeCamera();
      await use(camera);
      camera.remove();
    },
    { scope: "worker" },
  ],
  phones: [
    async ({ camera }, use) => {
      const browser = await chromium.launch({
        ...LAUNCH_OPTIONS,
        args: [...LAUNCH_OPTIONS.args, ...camera.args],
      });
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
  phone: async ({ phones }, use) => {
    const context = await phones.newContext({
      ...PHONE,
      baseURL: APP_URL,
      locale: "en-GB",
      permissions: ["camera"],
    });
    await use(context);
    await context.close();
  },
  app: async ({ phone }, use) => {
    await use(await phone.newPage());
  },
});

/** The wallet's page then comes from the device. */
async function untilKept(wallet: Page): Promise<void> {
  await expect.poll(() => wallet.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

test("signs in a desktop browser after a phone has scanned its code and checked a fingerprint", async ({
  page,
  app: wallet,
  camera,
  phones,
}, testInfo) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  // FILM=1 is for people to watch, and takes longer than the rest of the test.
  const film = process.env.FILM ? await filmTwoScreens(phones, page, wallet) : null;
  const origins = new Set<string>();
  wallet.on("request", (request) => origins.add(new URL(request.url()).origin));
  await openNewWallet(wallet);
  await page.goto("/register");
  camera.show((await readShownCode(page)).text);
  await wallet.getByRole("button", { name: "Scan a code" }).click();
  const started = Date.now();
  await expect(wallet.getByRole("button", { name: "Approve" })).toBeEnabled();
  testInfo.annotations.push({
    type: "scan",
    description: `${Date.now() - started} ms from button to question`,
  });
  await expect(wallet.getByRole("heading", { name: /localhost/ })).toBeVisible();
  await expectAccessible(wallet);
  await approve(wallet);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(wallet.getByText(/is being signed in/).first()).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await film?.save(testInfo.outputPath("phone-and-desktop.webm"));
  expect([...origins]).toEqual([new URL(APP_URL).origin]);
});

test("does not sign without the user's own fingerprint", async ({ request, app: wallet }) => {
  const authenticator = await openNewWallet(wallet);
  const postedUrls: string[] = [];
  wallet.on("request", (request) => request.method() === "POST" && postedUrls.push(request.url()));
  const declined = await issueCode({ request }, "login");
  await openCode(wallet, declined.qr);
  await wallet.getByRole("button", { name: "Decline" }).click();
  await expect(wallet.getByRole("status")).not.toBeEmpty();
  expect(postedUrls).toEqual([]);
  expect(await readLoginStatus({ request }, declined.sid)).toEqual({ status: "pending" });

  const first = await issueCode({ request });
  await openCode(wallet, first.qr);
  await authenticator.touched(false);
  await approve(wallet);
  await wallet.getByRole("button", { name: "Cancel" }).click();
  await expect(wallet.getByText(/Not confirmed, so nothing was signed/).first()).toBeVisible();
  expect(postedUrls).toEqual([]);
  await authenticator.touched(true);
  await approve(wallet);
  await expect.poll(() => readLoginStatus({ request }, first.sid)).toMatchObject({ status: "authenticated" });
  expect(postedUrls).toHaveLength(1);

  const { sid, qr } = await issueCode({ request }, "login");
  await openCode(wallet, qr);
  await expect(wallet.getByText(/Yes, last/)).toBeVisible();
  await authenticator.recognises(false);
  await approve(wallet);
  await expect(wallet.getByText(/Not confirmed, so nothing was signed/).first()).toBeVisible();
  await expectAccessible(wallet);
  expect(postedUrls).toHaveLength(1);
  expect(await readLoginStatus({ request }, sid)).toEqual({ status: "pending" });
});

test("restores the same account from its seed phrase on another device", async ({
  page: other,
  app: wallet,
  request,
}) => {
  /** Returns the user's id. */
  const openAndSignIn = async (page: Page, mode: "login" | "register", account?: string) => {
    const { sid, qr } = await issueCode({ request }, mode);
    await openCode(page, qr);
    if (account) {
      const more = page.getByRole("button", { name: "Use another account" });
      const choice = page.getByLabel("Account", { exact: true });
      await expect(more.or(choice)).toBeVisible();
      if (await more.isVisible()) await more.click();
      await choice.selectOption(account);
    }
    await approve(page);
    await expect(page.getByText(/is being signed in/).first()).toBeVisible();
    return signIn({ request }, sid);
  };
  await wallet.goto("/wallet");
  await restoreWallet(wallet, PHRASE);
  const first = await openAndSignIn(wallet, "register");

  await other.goto("/wallet");
  await restoreWallet(other, `  ${PHRASE.toUpperCase().replaceAll(" ", "\n")}`);
  expect(await openAndSignIn(other, "login")).toBe(first);
  expect(await openAndSignIn(other, "register", "2, new")).not.toBe(first);
});

test("reads a code from an image file and reports an image without one", async ({ page, app: wallet }) => {
  await openNewWallet(wallet);
  await page.goto("/login");
  await readShownCode(page);
  const [picture, none] = [
    await page.screenshot(),
    await page.getByRole("heading", { level: 1 }).screenshot(),
  ];
  await wallet.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"));
  });
  await wallet.getByRole("button", { name: "Scan a code" }).click();
  await expect(wallet.getByText(/is not allowed to use the camera/)).toBeVisible();
  await expectAccessible(wallet);
  await wallet.getByRole("button", { name: "Back" }).click();
  await expect(wallet.getByRole("button", { name: "Use an image" })).toBeVisible();
  const field = wallet.getByLabel("Image of a code");
  await field.setInputFiles({ name: "none.png", mimeType: "image/png", buffer: none });
  await expect(wallet.getByText(/No code was found/)).toBeVisible();
  await field.setInputFiles({ name: "code.png", mimeType: "image/png", buffer: picture });
  await expect(wallet.getByRole("button", { name: "Approve" })).toBeVisible();
});

test("stores neither the seed phrase nor the seed in the browser, even for an older wallet", async ({
  request,
  app: wallet,
}) => {
  await wallet.clock.install();
  await wallet.goto("/wallet");
  // When this button appears, the page has created its database.
  await expect(wallet.getByRole("button", { name: "Show my words" })).toBeVisible();
  await wallet.evaluate(putUnsealedWallet, PHRASE);
  await wallet.reload();
  await expect(wallet.getByRole("heading", { name: "Lock this wallet" })).toBeVisible();
  await expectAccessible(wallet);
  await lockByPassphrase(wallet);
  const storedText = await wallet.evaluate(readStoredText);
  expect(storedText).toContain("ciphertext");
  expect(storedText).not.toContain("abandon");
  expect(storedText).not.toContain("5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1");

  const { sid, qr } = await issueCode({ request });
  await openCode(wallet, qr);
  await wallet.getByLabel("Passphrase for this wallet").fill("not the passphrase");
  await expect(wallet.getByRole("button", { name: "Approve" })).toBeEnabled();
  await wallet.getByRole("button", { name: "Approve" }).click();
  await expect(wallet.getByText(/does not open the wallet/).first()).toBeVisible();
  await approve(wallet);
  await expect.poll(() => readLoginStatus({ request }, sid)).toMatchObject({ status: "authenticated" });
  await wallet.getByRole("button", { name: "Done" }).click();
  await wallet.getByRole("button", { name: "Unlock" }).click();
  await wallet.getByLabel("Passphrase for this wallet").fill(PASSPHRASE);
  await wallet.getByRole("button", { name: "Unlock" }).click();
  await expect(wallet.getByText("localhost", { exact: true })).toBeVisible();
  expect(await wallet.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).toBe("{}");

  await expect(wallet.getByRole("button", { name: "Lock", exact: true })).toBeVisible();
  await wallet.clock.fastForward(121_000);
  await expect(wallet.getByRole("button", { name: "Unlock" })).toBeVisible();

  await wallet.getByRole("button", { name: "Remove this wallet" }).click();
  await expectAccessible(wallet);
  await wallet.getByRole("button", { name: "Remove it" }).click();
  await wallet.getByRole("button", { name: "Show my words" }).click();
  expect(await wallet.evaluate(readStoredText)).not.toContain("ciphertext");
  await expect(wallet.getByRole("list", { name: "Your words" })).toBeVisible();
  await wallet.clock.fastForward(121_000);
  await expect(wallet.getByRole("list", { name: "Your words" })).toHaveCount(0);
  await expect(wallet.getByText("Your words were hidden")).toBeVisible();
});

test("opens and scans offline, and reports that it cannot send a response", async ({
  request,
  phone,
  app: wallet,
  camera,
}) => {
  await wallet.goto("/wallet");
  // The wallet has a passphrase, because Chromium reports a page with a virtual authenticator as online.
  await createPassphraseWallet(wallet);
  await untilKept(wallet);
  camera.show((await issueCode({ request }, "login")).qr);
  await phone.setOffline(true);
  await wallet.reload();
  await expect(wallet.getByRole("button", { name: "Scan a code" })).toBeVisible();
  // After a reload, some versions of Chromium forget that they are offline.
  await phone.setOffline(false);
  await phone.setOffline(true);
  await expect(wallet.getByText("This device is offline.").first()).toBeVisible();
  await wallet.getByRole("button", { name: "Scan a code" }).click();
  await approve(wallet);
  await expect(wallet.getByText(/Connect it, then get a new code/).first()).toBeVisible();
});

test("replaces the old version of the wallet only when the user agrees", async ({ app: wallet }) => {
  const proxy = await startNewerVersionProxy();
  await wallet.goto(`${proxy.url}/wallet`);
  await untilKept(wallet);
  const before = await wallet.evaluate(() => caches.keys());
  expect(before).toHaveLength(1);
  proxy.deploy("next");
  await wallet.reload();
  await expect(wallet.getByText("A new version of this wallet is ready.")).toBeVisible();
  expect(await wallet.evaluate(() => caches.keys())).toEqual([...before, "svc-wallet-files-next"]);
  await expectAccessible(wallet);
  await Promise.all([
    wallet.waitForEvent("load"),
    wallet.getByRole("button", { name: "Use the new version" }).click(),
  ]);
  await expect.poll(() => wallet.evaluate(() => caches.keys())).toEqual(["svc-wallet-files-next"]);
  await expect(wallet.getByText("A new version of this wallet is ready.")).toHaveCount(0);
  const storedKeys = await wallet.evaluate(async () => {
    const cache = await caches.open("svc-wallet-files-next");
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
  });
  const own =
    /^\/(wallet|wallet\/manifest\.webmanifest|wallet-icon-192\.png|favicon\.svg|_next\/static\/.+)$/;
  expect(storedKeys.filter((path) => !own.test(path))).toEqual([]);
  await proxy.close();
});

test("refuses hostile codes with a reason, without sending a response", async ({ app: wallet }) => {
  await openNewWallet(wallet);
  const foreignUrls: string[] = [];
  wallet.on("request", (request) => {
    if (!request.url().startsWith(APP_URL)) foreignUrls.push(request.url());
  });
  const code = (webhook: string, ts: number, domain = "localhost") =>
    `svc://auth?${new URLSearchParams({ webhook, session: "s", challenge: `svc:login:${domain}:${ts}:${"a".repeat(32)}` })}`;
  const now = Math.floor(Date.now() / 1000);
  // The other kinds are in packages/wallet/read-payload.test.ts and packages/wallet/check-payload.test.ts.
  const hostile = [
    "javascript:alert(1)",
    code("http://example.com/", now, "example.com"),
    code(`${APP_URL}/webhook/login`, now - 40),
  ];
  for (const payload of hostile) {
    await openCode(wallet, payload);
    await expect(wallet.locator("[data-phase=refused]"), payload.slice(0, 200)).toBeVisible();
    await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);
    await wallet.getByRole("button", { name: "Done" }).click();
  }
  // The site might list the other host, but the wallet asks the site only with the user's consent.
  await openCode(wallet, code("https://evil.example/", now));
  await expect(wallet.getByRole("button", { name: "Check with the site" })).toBeEnabled();
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);
  expect(foreignUrls).toEqual([]);
});

test("can be used with only the keyboard", async ({ request, app: wallet }) => {
  await openNewWallet(wallet);
  const { sid, qr } = await issueCode({ request });
  const press = async (name: string | RegExp) => {
    const target = wallet.getByRole("button", { name }).or(wallet.getByText(name, { exact: true }));
    for (let presses = 0; presses < 20; presses++) {
      if (await target.first().evaluate((element) => element === document.activeElement)) break;
      await wallet.keyboard.press("Tab");
    }
    await wallet.keyboard.press("Enter");
  };
  await press("Paste a code as text");
  await wallet.keyboard.press("Tab");
  await wallet.keyboard.insertText(qr);
  await press("Read code");
  await expect(wallet.getByRole("button", { name: "Approve" })).toBeEnabled();
  await press("Approve");
  await expect.poll(() => readLoginStatus({ request }, sid)).toMatchObject({ status: "authenticated" });
  await press("Done");
  await expect(wallet.getByRole("button", { name: "Scan a code" })).toBeVisible();
});

function putUnsealedWallet(phrase: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const openRequest = indexedDB.open("svc-wallet");
    openRequest.onerror = () => reject(openRequest.error);
    openRequest.onsuccess = () => {
      const transaction = openRequest.result.transaction("vault", "readwrite");
      transaction.objectStore("vault").put({ format: 1, phrase, installation: "00".repeat(16) }, "wallet");
      transaction.oncomplete = () => {
        openRequest.result.close();
        resolve();
      };
    };
  });
}

async function readStoredText(): Promise<string> {
  const databases = await indexedDB.databases();
  const all = databases.map(
    ({ name = "" }) =>
      new Promise<unknown>((resolve) => {
        const openRequest = indexedDB.open(name);
        openRequest.onsuccess = () => {
          const [store = ""] = openRequest.result.objectStoreNames;
          const reading = openRequest.result.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => {
            openRequest.result.close();
            resolve(reading.result);
          };
        };
      }),
  );
  return JSON.stringify(await Promise.all(all));
}
