import type { Page } from "playwright/test";
import { approve, createPassphraseWallet, openCode } from "./support/browser-wallet.ts";
import { expect, issueCode, readLoginStatus, readShownCode, test } from "./support/fixtures.ts";
import { trialApproval, trialWallet } from "./support/page.ts";

const ago = (seconds: number) => Date.now() - seconds * 1000;

function countCodes(page: Page): () => number {
  let count = 0;
  page.context().on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/svc/qr") count++;
  });
  return () => count;
}

/** In small steps, so that responses can arrive in between. */
async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

for (const off of [-300, 35]) {
  test(`signs in even if the device's clock is ${off} s off`, async ({ page, request }) => {
    await page.clock.install({ time: ago(-off) });
    const codes = countCodes(page);
    await page.goto("/login");
    await page.getByRole("button", { name: "Try it in this tab" }).click();
    await expect(trialApproval(page)).toBeEnabled();
    const before = codes();
    await pass(page, 8);
    expect(codes() - before).toBeLessThanOrEqual(1);
    await expect(trialWallet(page).getByText(/, (just now|\d{1,2} seconds ago)$/)).toBeVisible();
    await trialApproval(page).click();
    await page.clock.resume();
    await expect(page).toHaveURL(/\/dashboard$/);

    await page.goto("/wallet");
    await createPassphraseWallet(page);
    const { sid, qr } = await issueCode({ request });
    await openCode(page, qr);
    await expect(page.getByText(/, (just now|\d{1,2} seconds ago)$/)).toBeVisible();
    const ends = Number(/ts=(\d+)/.exec(qr)?.[1]) + 30;
    const shownSeconds = async () => Number(/\d+/.exec(await page.getByText(/^Ends in \d+ s$/).innerText()));
    await expect
      .poll(async () => Math.abs((await shownSeconds()) - (ends - Date.now() / 1000)))
      .toBeLessThan(3);
    await approve(page);
    await expect.poll(() => readLoginStatus({ request }, sid)).toMatchObject({ status: "authenticated" });
    const oldTimestamp = Math.floor(Date.now() / 1000) - 60;
    await openCode(
      page,
      qr.replace(/%3A\d{10}%3A/, `%3A${oldTimestamp}%3A`).replace(/ts=\d+/, `ts=${oldTimestamp}`),
    );
    await expect(page.locator("[data-phase=refused]")).toBeVisible();
  });
}

test("renews a code early at most twice for a wallet that keeps asking", async ({ page, context }) => {
  await page.goto("/register");
  await readShownCode(page);
  const codes = countCodes(page);
  const { session, challenge } = await readShownCode(page);
  const askedThreeTimes = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let requestCount = 0;
        new BroadcastChannel("svc-code-handover").onmessage = ({ data }) => {
          if (data.kind === "wanted") requestCount++;
          // Later than a request for another code would be.
          if (requestCount === 3) requestAnimationFrame(() => setTimeout(resolve));
        };
      }),
  );
  // An earlier wallet version treats every code as expired.
  const other = await context.newPage();
  await other.goto("/docs");
  await other.evaluate(
    ([session, held]) => {
      const channel = new BroadcastChannel("svc-code-handover");
      const ask = (challenge: string) => channel.postMessage({ kind: "wanted", session, held: challenge });
      channel.onmessage = ({ data }) => {
        if (data.kind === "code") ask(new URL(data.qr).searchParams.get("challenge") ?? "");
      };
      ask(held);
    },
    [session, challenge] as const,
  );
  await askedThreeTimes;
  expect(codes()).toBe(2);
});

test("does not show an expired code after the clock is set back or the page wakes from sleep", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/login");
  const first = await readShownCode(page);
  await page.clock.setSystemTime(ago(300));
  await pass(page, 31);
  await expect.poll(async () => (await readShownCode(page)).challenge).not.toBe(first.challenge);
  await expect(page.getByText(/^Code refreshes in (2\d|30) s$/)).toBeVisible();
  const second = await readShownCode(page);
  // While a laptop sleeps, only its wall clock advances.
  await pass(page, 4);
  await page.clock.setSystemTime(ago(300 - 45));
  await pass(page, 2);
  await expect.poll(async () => (await readShownCode(page)).challenge).not.toBe(second.challenge);
});

test("keeps the countdown running on a page that the browser is translating", async ({ page }) => {
  await page.clock.install();
  await page.goto("/login");
  await readShownCode(page);
  const countdown = page.getByText(/^Code refreshes in/);
  await countdown.evaluate((element) => {
    for (const text of [...element.childNodes]) {
      const font = document.createElement("font");
      text.replaceWith(font);
      font.append(text);
    }
  });
  const seconds = async () => Number((await countdown.textContent())?.match(/\d+/)?.[0]);
  const before = await seconds();
  await pass(page, 6);
  expect(await seconds()).toBeLessThanOrEqual(before - 6);
});
