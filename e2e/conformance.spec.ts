import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { expect, readSession, readShownCode, test } from "./support/fixtures.ts";

const status = (page: Page) => page.getByRole("main").getByRole("status");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const choose = (page: Page, title: string) =>
  page.getByRole("navigation", { name: "Cases" }).getByRole("button", { name: title }).click();

async function startRun(page: Page): Promise<void> {
  await page.goto("/conformance");
  await press(page, "Start");
  await expect(page.getByRole("heading", { name: "A correct code to sign in" })).toBeVisible();
}

async function showCode(page: Page): Promise<void> {
  await press(page, "Show the code");
  await readShownCode(page);
}

async function answerWithoutChecks(page: Page): Promise<string> {
  const { webhook, challenge } = await readShownCode(page);
  const response = await fetch(new URL(new URL(webhook).pathname, page.url()), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(new TestWallet().response(challenge)),
  });
  expect(response.status).toBe(200);
  return challenge;
}

test("passes a wallet that answers only valid codes and fails one that answers a hostile code", async ({
  page,
  wallet,
}) => {
  await page.goto("/conformance");
  await expectAccessibleInAllViews(page);
  await startRun(page);
  await showCode(page);
  await expect(page.getByRole("button", { name: /A different domain/ })).toBeDisabled();
  await expectAccessibleInAllViews(page);
  await wallet.approve(page);
  await expect(status(page)).toContainText("An answer has arrived.");
  await press(page, "It showed both");
  await expect(status(page)).toHaveText("Passed.");
  await press(page, "Next case");

  await choose(page, "A challenge that is a minute old");
  await showCode(page);
  await press(page, "My wallet refused it");
  // The page continues with the next case automatically.
  await expect(page.getByRole("heading", { name: "An old challenge with a fresh ts" })).toBeVisible();

  await press(page, "See the result");
  await expect(page.getByRole("heading", { name: "No failures so far" })).toBeVisible();
  await expect(page.getByText(/^2 passed, 0 failed/)).toBeVisible();
  await expectAccessibleInAllViews(page);
  const [json] = await Promise.all([page.waitForEvent("download"), press(page, "Download JSON")]);
  expect(JSON.parse(readFileSync(await json.path(), "utf8"))).toMatchObject({
    schema: "svc-conformance/2",
    subject: "wallet",
    holds: true,
  });

  await choose(page, "A different domain");
  await showCode(page);
  expect(await answerWithoutChecks(page)).toContain(":shop.example:");
  await expect(status(page)).toContainText("Failed. The wallet answered the code.");
  await expectAccessibleInAllViews(page);
  // The run continues after a reload.
  await page.reload();
  await press(page, "See the result");
  await expect(page.getByRole("heading", { name: "One case failed" })).toBeVisible();
  const [report] = await Promise.all([page.waitForEvent("download"), press(page, "Download the report")]);
  expect(report.suggestedFilename()).toBe("wallet-report.html");
  expect(await readSession(page)).toEqual({});
});

test("explains an unreachable site, a lost connection and a run that has ended", async ({
  page,
  context,
}) => {
  await startRun(page);
  await showCode(page);
  await press(page, "My wallet does nothing");
  await expect(status(page)).toContainText("No response arrived");
  await context.setOffline(true);
  await press(page, "Try it again");
  await expect(page.getByText("No connection to this site.")).toBeVisible();
  await context.setOffline(false);
  await page.evaluate(() => sessionStorage.setItem("svc-conformance-run", "A".repeat(43)));
  await page.reload();
  await expect(page.getByRole("heading", { name: "This run has ended" })).toBeVisible();
  await expectAccessibleInAllViews(page);
  await press(page, "Start a new run");
  await expect(page.getByRole("button", { name: "Start" })).toBeVisible();
});
