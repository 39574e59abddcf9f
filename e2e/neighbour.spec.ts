import { request as forward } from "node:http";
import { createServer } from "node:https";
import { signInBrowser } from "#tools/kit/login.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { findFreePort, listen } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { addCredential } from "./support/account.ts";
import { createSelfSignedCertificate } from "./support/certificate.ts";
import { DATABASE_URL, expect, test } from "./support/fixtures.ts";
import { LAUNCH_OPTIONS } from "./support/launch-options.ts";

const SITE = "login.neighbours.test";
const NEIGHBOUR = "evil.neighbours.test";

test.use({
  launchOptions: {
    ...LAUNCH_OPTIONS,
    args: [...LAUNCH_OPTIONS.args, "--host-resolver-rules=MAP *.neighbours.test 127.0.0.1"],
  },
  ignoreHTTPSErrors: true,
});

/**
 * Returns cookies with which a neighbouring site tries to make the dashboard believe that this browser itself made a
 * change.
 */
function plantedCookies(note: string): string[] {
  const names = [
    "svc-seen",
    "__Host-svc-seen",
    "__host-svc-seen",
    "__Secure-svc-seen",
    "\u00a0__Host-svc-seen",
  ];
  return names.flatMap((name) =>
    ["/", "/dashboard"].map((path) => `${name}=${note}; Domain=neighbours.test; Path=${path}; Secure`),
  );
}

test("shows a thief's change even if a sibling subdomain plants the cookie that would hide it", async ({
  page,
  context,
}) => {
  await using started = new AsyncDisposableStack();
  const port = await findFreePort();
  const origin = `https://${SITE}:${port}`;
  const app = await startApp({ DATABASE_URL, APP_URL: origin, LOG_LEVEL: "warn" });
  started.defer(() => app.stop());
  const now = Math.floor(Date.now() / 1000);
  const note = `credential_added-${now - 60}-${now + 60}`;
  const server = createServer(createSelfSignedCertificate([SITE, NEIGHBOUR]), (request, response) => {
    if (request.headers.host?.startsWith(NEIGHBOUR)) {
      const script = `for (const each of ${JSON.stringify(plantedCookies(note))}) document.cookie = each`;
      response.setHeader(
        "Set-Cookie",
        plantedCookies(note).filter((cookie) => !cookie.startsWith("\u00a0")),
      );
      response.end(`<!doctype html><title>Planted</title><script>${script}</script>`);
      return;
    }
    const { method, url: path, headers } = request;
    const forwarded = forward(new URL(path ?? "/", app.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  await listen(server, "127.0.0.1", port);
  started.defer(() => {
    server.closeAllConnections();
    server.close();
  });

  const { browser } = await signInBrowser(app.url);
  await context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: origin })));
  // The thief has a copy of the session token.
  await addCredential(browser.copy(), new TestWallet());

  await page.goto(`https://${NEIGHBOUR}:${port}/`);
  await expect(page).toHaveTitle("Planted");
  // The attack has taken place: the browser sends the cookie that the neighbour has set.
  expect((await context.cookies(origin)).map(({ name }) => name)).toContain("svc-seen");
  await page.goto(`${origin}/dashboard`);
  const notice = page.getByRole("region", { name: "One thing happened since you were last here" });
  await expect(notice).toContainText("Wallet added");

  // The site's own cookie has a protected name, and hides the change.
  await notice.getByRole("button", { name: /^OK/ }).click();
  await expect(notice).toHaveCount(0);
  const seenCookie = (await context.cookies(origin)).find(({ name }) => name === "__Host-svc-seen");
  expect(seenCookie).toMatchObject({
    domain: SITE,
    path: "/",
    secure: true,
    value: expect.stringMatching(/^\d+$/),
  });
  await context.addCookies([
    { ...seenCookie, value: note } as Parameters<typeof context.addCookies>[0][number],
  ]);
  await addCredential(browser.copy(), new TestWallet());
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign-in methods" })).toBeVisible();
  await expect(page.getByRole("region", { name: /since you were last here/ })).toHaveCount(0);
});
