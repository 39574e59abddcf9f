import type { Answered } from "../under-test.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { changed, type FastSite, pathOf } from "./site.ts";

/** The answers of a run that belong to its fast logins: what checks look back at. */

/** The answers of the flow's own endpoints. */
export function ownAnswers(site: FastSite): readonly Answered[] {
  const { qr, check, webhook } = site.target;
  return site.answersOf([qr, check, webhook]);
}

/** The answers to wallets. A GET that asks for a page is a browser's. */
export function webhookAnswers(site: FastSite): readonly Answered[] {
  return site
    .answersOf([site.target.webhook])
    .filter(({ request: { method = "GET", headers } }) => !headers?.Accept && /^(GET|POST)$/.test(method));
}

/** Makes sure that there is something to judge where a check runs alone. */
export async function provoke(site: FastSite): Promise<void> {
  if (webhookAnswers(site).some(({ answer }) => answer.status === 401)) return;
  const code = await site.issue();
  const wallet = new BitcoinWallet();
  await site.respond(code, wallet, { sig: "" });
  await site.postForm(pathOf(changed(code, { c: "x" })), wallet.fields(code.qr));
  await site.respond(code, wallet);
  await site.http.send({ path: site.target.check });
  await site.check(code.sid);
}
