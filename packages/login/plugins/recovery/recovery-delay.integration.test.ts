import { expect, test } from "vitest";
import { createLogin, type SiteEvent } from "../../index.ts";
import {
  newClientHeaders,
  SITE_SETTINGS,
  SiteBrowser,
  signInBrowser,
  startPendingRecovery,
  startSite,
} from "../../site/tests/site.fixture.ts";

const events: SiteEvent[] = [];
const failures: string[] = [];

const site = startSite((databaseUrl) =>
  createLogin(async () => ({
    ...SITE_SETTINGS,
    databaseUrl,
    recoveryDelayHours: 24,
    findOrCreateUser: async ({ userId }) => `customer-${userId}`,
    onEvent: (event) => {
      events.push(event);
      throw new Error("the site's own mistake");
    },
    onFailure: (message) => failures.push(message),
  })),
);

const pending = () => startPendingRecovery(site().login);
const statusOf = async (browser: SiteBrowser) =>
  (await site().login.recovery.ofBrowser(browser.headers)).status;
const eventsReceived = (userId: unknown) =>
  events.filter((event) => event.userId === userId).map(({ kind }) => kind);
const loginIdOf = (userId: unknown) => Number(String(userId).replace("customer-", ""));

async function historyOf(userId: unknown): Promise<string[]> {
  const ofUser = "SELECT kind FROM login_event WHERE user_id = $1 ORDER BY id";
  return (await site().client.query(ofUser, [loginIdOf(userId)])).rows.map(({ kind }) => kind);
}

test("shows a pending recovery in every signed-in browser, any of which can cancel it", async () => {
  const { old, browser, userId, codes, lost } = await pending();
  // The owner's key still signs in.
  expect((await signInBrowser(site().login, lost)).userId).toBe(userId);
  expect(await site().login.recovery.ofBrowser(browser.headers)).toMatchObject({ status: "pending", userId });
  expect([await browser.userId(), await old.userId()]).toEqual([null, userId]);
  expect((await site().login.recovery.ofAccount(old.headers))?.pending).toMatchObject({ browser: "Firefox" });
  expect((await browser.send("DELETE", "/api/account/recovery")).status).toBe(401);
  const { browser: stranger } = await signInBrowser(site().login);
  expect((await stranger.send("DELETE", "/api/account/recovery")).status).toBe(404);
  // A user who has lost the wallet cannot approve anything, but can still cancel.
  const ages = "UPDATE browser_session SET created_at = created_at - interval '601 s' WHERE user_id = $1";
  await site().client.query(ages, [loginIdOf(userId)]);
  expect((await old.send("DELETE", "/api/account/recovery")).status).toBe(204);
  expect(await statusOf(browser)).toBe("cancelled");
  expect((await site().login.recovery.ofAccount(old.headers))?.pending).toBeNull();
  expect(eventsReceived(userId)).toEqual([
    "recovery_codes_made",
    "recovery_opened",
    "recovery_pending",
    "recovery_cancelled",
  ]);
  // A thief who has taken over a browser cannot use up the owner's recovery codes by cancelling.
  expect((await browser.send("POST", "/api/recovery", { code: codes[0] })).status).toBe(200);
  // An error in the site's hook is reported to the site, but does not stop the recovery.
  expect(failures).toContain("onEvent failed for recovery_pending");
});

test("cancels the recovery when new codes are created", async () => {
  const { old, browser, userId, codes } = await pending();
  expect((await old.send("POST", "/api/account/recovery-codes", {})).status).toBe(201);
  expect(await statusOf(browser)).toBe("cancelled");
  const staleResponse = await new SiteBrowser(site().login).send("POST", "/api/recovery", { code: codes[1] });
  expect(staleResponse.status).toBe(401);
  const kinds = ["recovery_pending", "recovery_cancelled", "recovery_codes_made"];
  expect(eventsReceived(userId).slice(-3)).toEqual(kinds);
  expect((await historyOf(userId)).slice(-3).toSorted()).toEqual(kinds.toSorted());
  // No recovery is pending any more, so new codes do not report another cancellation.
  expect((await old.send("POST", "/api/account/recovery-codes", {})).status).toBe(201);
  expect(eventsReceived(userId).slice(-2)).toEqual(["recovery_codes_made", "recovery_codes_made"]);
  expect((await historyOf(userId)).filter((kind) => kind === "recovery_cancelled")).toHaveLength(1);
});

test("cancels the recovery when its wallet undoes the answer", async () => {
  const { browser, userId, codes, undo } = await pending();
  const answers = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    answers.push(
      (await site().login.routes.POST(new Request(undo, { method: "POST", headers: newClientHeaders() })))
        .status,
    );
  }
  expect(answers).toEqual([200, 200]);
  expect(await statusOf(browser)).toBe("cancelled");
  expect(eventsReceived(userId).slice(-2)).toEqual(["recovery_pending", "recovery_cancelled"]);
  expect((await historyOf(userId)).slice(-2).toSorted()).toEqual(["recovery_cancelled", "undone"]);
  // Cancelling the recovery has not spent the recovery code.
  expect((await browser.send("POST", "/api/recovery", { code: codes[0] })).status).toBe(200);
});

test("takes effect a day after the user has chosen the new key", async () => {
  const { userId } = await pending();
  const left =
    "SELECT extract(epoch FROM takes_effect_at - now())::int AS seconds FROM recovery WHERE user_id = $1";
  const { seconds } = (await site().client.query(left, [loginIdOf(userId)])).rows[0];
  expect(Math.abs(seconds - 24 * 3600)).toBeLessThan(60);
});

test("shows the user who recovers that the recovery has taken effect", async () => {
  const { old, browser, wallet, userId } = await pending();
  const makeDue = "UPDATE recovery SET takes_effect_at = now() - interval '1 min' WHERE cancelled_at IS NULL";
  await site().client.query(makeDue);
  expect(await statusOf(browser)).toBe("finished");
  expect(await old.userId()).toBeNull();
  const { sid } = await browser.answerLogin("mode=login", wallet);
  expect(await browser.signIn(sid)).toBe(200);
  expect(await browser.userId()).toBe(userId);
  expect(eventsReceived(userId)).toContain("recovered");
});
