import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { changed, type FastRun, type FastSite, pathOf } from "./site.ts";

/** The answers of a run that belong to its fast logins: what checks look back at. */

type Answered = FastRun["answers"][number];

const pathOfRequest = ({ request }: Answered) => request.path.split("?")[0] ?? "";

/** The answers of the flow's own endpoints. */
export function ownAnswers({ run, target }: Pick<FastSite, "run" | "target">): readonly Answered[] {
  const own = [target.qr, target.check, target.webhook];
  return run.answers.filter((each) => own.includes(pathOfRequest(each)) && !each.request.hostile);
}

/** The answers to wallets. A GET that asks for a page is a browser's. */
export function webhookAnswers(site: FastSite): readonly Answered[] {
  return ownAnswers(site).filter(
    (each) => pathOfRequest(each) === site.target.webhook && !each.request.headers?.Accept && isRead(each),
  );
}

const isRead = ({ request: { method = "GET" } }: Answered) => method === "GET" || method === "POST";

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
