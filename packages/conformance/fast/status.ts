import { fail, type Rules } from "../check.ts";
import { expectNoCookie, expectNoMore, expectStatus } from "../expect-status.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { FastId } from "../texts/fast.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { otherCase } from "./messages.ts";
import type { FastSite } from "./site.ts";

/** Section 6.3: what the site returns about a login. */

function expectLogin(answer: Answer, sid: string, status: 0 | 1, what: string): void {
  expectStatus(answer, 200, what);
  const body = bodyOf(answer);
  const expected = JSON.stringify({ sid, status });
  if (body.status !== status || body.sid !== sid)
    fail(`${what}: the answer is ${answer.text.slice(0, 200)} instead of ${expected}.`);
}

export const FAST_STATUS_CHECKS = {
  async "6.3-waiting"(site) {
    const { browser, sid } = await site.issue();
    expectLogin(await site.check(sid, browser), sid, 0, "an unanswered login");
  },
  async "6.3-answered"(site) {
    const { browser, code } = await site.answered();
    expectLogin(await site.check(code.sid, browser), code.sid, 1, "an answered login");
    expectLogin(await site.check(code.sid), code.sid, 1, "a stranger's question");
  },
  async "6.3-refused"(site) {
    const code = await site.issue();
    await site.respond(code, undefined, site.foreignSignature(code));
    await site.postForm(site.webhookOf(code), new BitcoinWallet().fields("another message"));
    expectLogin(await site.check(code.sid), code.sid, 0, "a login after refused responses");
  },
  async "6.3-tells-no-more"(site) {
    const { code, wallet } = await site.answered();
    const waiting = await site.issue();
    for (const { sid } of [code, waiting]) {
      const answer = await site.check(sid);
      expectNoMore(answer.json, ["sid", "status"], "A stranger's answer");
      expectNoCookie(answer, "A stranger's question");
      if (answer.text.includes(wallet.address)) fail("A stranger gets the address.");
    }
  },
  async "6.3-unknown"(site) {
    const { code } = await site.answered();
    const { sid } = code;
    const nearly = [sid.slice(0, -1), sid.slice(1), `${sid}0`, otherCase(sid)];
    const strange = ["nobody", "%", "_", "' OR 1=1 --", "__proto__", `${"A".repeat(32)}_1700000000`];
    for (const other of [...strange, ...nearly]) {
      const answer = await site.check(other);
      // A site may refuse a text that is not a sid.
      if (answer.status === 400) continue;
      expectLogin(answer, other, 0, `the sid ${JSON.stringify(other)}`);
    }
  },
} satisfies Rules<FastSite, FastId>;
