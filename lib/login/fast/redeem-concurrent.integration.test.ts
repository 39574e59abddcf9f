import { expect, test } from "vitest";
import { query, urls } from "../../../e2e/support/test-apps.ts";
import { answeredFast, enterDashboard } from "../../../scripts/kit/fast-login.ts";
import { userIdOf } from "../../../scripts/kit/login.ts";
import { FastWallet } from "../../../scripts/kit/test-wallet.ts";

const sessionsOf = (userId: number | null) =>
  query("SELECT id FROM browser_session WHERE user_id = $1", [userId]);

// Of an address that is known: that of a new one is kept from signing in twice by its uniqueness alone. Few at once,
// many times over: of many at once the first has ended before the last is read.
test.each([2, 4, 8])("of %i requests at once to redeem one login, one opens a session", async (count) => {
  const wallet = new FastWallet();
  const first = await answeredFast(urls[0], wallet);
  await enterDashboard(first.browser, first.sid);
  const userId = await userIdOf(first.browser);
  for (let round = 1; round <= 12; round++) {
    const { browser, sid } = await answeredFast(urls[0], wallet);
    const copies = Array.from({ length: count }, (_, index) => browser.copy(urls[index % 2]));
    await Promise.all(
      copies.map(async (copy, index) => {
        const byScript = index % 2 === 0;
        const path = `/dashboard/enter?${new URLSearchParams({ sid })}`;
        const response = byScript ? await copy.signIn("fast", sid) : await copy.fetch(path);
        await response.body?.cancel();
      }),
    );
    expect(await sessionsOf(userId), `round ${round}`).toHaveLength(1 + round);
  }
});
