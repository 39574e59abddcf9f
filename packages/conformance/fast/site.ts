import { type Browser, HTML } from "../browser.ts";
import { block, fail, skip } from "../check.ts";
import { expectAccepted, refusalOf } from "../expect-status.ts";
import {
  type Answered,
  type Asking,
  type Code,
  type LoginCode,
  type LoginRun,
  LoginSite,
} from "../flow/flow.ts";
import { retryAfterOf } from "../flow/limits.ts";
import { expectUnsigned, type Try } from "../flow/responses.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import { type AddressKind, BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { type Entrances, type FastTarget, findEntrances } from "./entrances.ts";

export const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

export type FastCode = LoginCode & {
  /** The exact QR URL, which a wallet signs and posts to. */
  qr: string;
  url: URL;
};
export type Asked = Code & Pick<FastCode, "url" | "qr">;

export type FastRun = Omit<LoginRun, "codes"> & {
  codes: FastCode[];
  /** Whether it may take minutes. */
  isSlow: boolean;
  /** Determined by the first check that signs a browser in. */
  entrances?: Promise<Entrances>;
};

export class FastSite extends LoginSite<FastTarget, FastRun> {
  readonly refusals = { gone: 400, unsigned: 401 };

  /** @throws {NotApplicable} if this run may not take minutes */
  needsSlow(): void {
    if (!this.run.isSlow) skip("It takes two minutes: --slow runs it.");
  }

  async issue({ browser = this.browser(), sid }: Asking = {}): Promise<FastCode> {
    const answer = await this.askForCode(browser, sid === undefined ? {} : { sid });
    const body = bodyOf(answer);
    if (answer.status !== 200 || typeof body.sid !== "string" || typeof body.qr !== "string")
      block(`The site gives no code: ${refusalOf(answer)}`);
    const url = URL.canParse(body.qr) ? new URL(body.qr) : null;
    const challenge = url?.searchParams.get("c");
    if (!url || !challenge) block(`\`qr\` is no URL with a challenge: ${body.qr.slice(0, 200)}.`);
    const code = { sid: body.sid, qr: body.qr, url, challenge, answer, browser };
    this.run.codes.push(code);
    return code;
  }

  issueForNew(): Promise<FastCode> {
    return this.issue();
  }

  newWallet(): BitcoinWallet {
    return new BitcoinWallet();
  }

  async knownWallet(): Promise<BitcoinWallet> {
    return new BitcoinWallet();
  }

  webhookOf(code?: Asked): string {
    return code ? code.url.pathname + code.url.search : this.target.webhook;
  }

  postForm(path: string, fields: Partial<Fields>): Promise<Answer> {
    return this.post(path, new URLSearchParams(fields).toString(), FORM);
  }

  respond(code: Asked, wallet = new BitcoinWallet(), changes: Partial<Fields> = {}): Promise<Answer> {
    return this.postForm(this.webhookOf(code), wallet.fields(code.qr, changes));
  }

  foreignSignature({ qr }: Asked): Partial<Fields> {
    return { sig: new BitcoinWallet().sign(qr) };
  }

  async answered(wallet = new BitcoinWallet(), browser = this.browser()) {
    const code = await this.issue({ browser });
    expectAccepted(await this.respond(code, wallet));
    return { browser, code, wallet };
  }

  async holderOf(sid: string): Promise<true | null> {
    const { status } = bodyOf(await this.check(sid));
    return status === 1 || status === true || status === "1" ? true : null;
  }

  /** How this site shows a sign-in. @throws {Blocked} if the browser that started a login is not signed in */
  entrances(): Promise<Entrances> {
    return this.shared("entrances", () => findEntrances(this));
  }

  async enter(browser: Browser, sid: string, query?: Record<string, string>): Promise<Answer[]> {
    return (await this.entrances()).all[0].enter(browser, sid, query);
  }

  async isSignedIn(browser: Browser): Promise<boolean> {
    return (await this.entrances()).isSignedIn(browser);
  }

  async signsIn(browser: Browser, sid: string): Promise<boolean> {
    await this.enter(browser, sid);
    return this.isSignedIn(browser);
  }

  async expectNobody(browser: Browser, sid: string, who: string): Promise<void> {
    for (const { name, enter } of (await this.entrances()).all) {
      await enter(browser, sid);
      if (await this.isSignedIn(browser)) fail(`${who} is signed in by ${name}.`);
    }
  }

  ownAnswers(): readonly Answered[] {
    const { qr, check, webhook } = this.target;
    return this.answersOf([qr, check, webhook]);
  }

  /** A GET that asks for a page is a browser's. */
  walletAnswers(): readonly Answered[] {
    return this.answersOf([this.target.webhook]).filter(
      ({ request: { method = "GET", headers } }) => !headers?.Accept && /^(GET|POST)$/.test(method),
    );
  }

  async provoke(): Promise<void> {
    if (this.walletAnswers().some(({ answer }) => answer.status === 401)) return;
    const code = await this.issue();
    const wallet = new BitcoinWallet();
    await this.respond(code, wallet, { sig: "" });
    await this.postForm(this.webhookOf(changed(code, { c: "x" })), wallet.fields(code.qr));
    await this.respond(code, wallet);
    await this.http.send({ path: this.target.check });
    await this.check(code.sid);
  }

  /** The signed-in user according to the site: NextAuth's user, or the addresses on the dashboard. */
  async identityOf(browser: Browser, addresses: readonly string[]): Promise<string | null> {
    const user = await browser.user();
    if (user !== undefined && user !== null && user !== true) return `user ${user}`;
    const { text } = await browser.send({ path: this.target.dashboard, headers: HTML });
    const named = addresses.filter((address) => text.includes(address));
    return named.length > 0 ? named.join(" and ") : null;
  }

  expectRefusal(answer: Answer, what: string): void {
    if (isText(answer) && answer.text.startsWith("Error: ")) return;
    const said = `the ${answer.status} of ${answer.name} says ${JSON.stringify(answer.text.slice(0, 80))}`;
    fail(`${what}: ${said} instead of plain text that begins with "Error: ".`);
  }

  expectLimited(answer: Answer): void {
    retryAfterOf(answer);
    this.expectRefusal(answer, "the limit");
  }
}

export const isText = ({ headers }: Answer) => /^text\/plain\b/.test(headers["content-type"] ?? "");

/** A code's URL with other values in its query. Null removes a name. */
export function changed<Of extends Asked>(code: Of, values: Record<string, string | null>): Of {
  const url = new URL(code.url);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return { ...code, url, qr: url.href };
}

/** Expects each of these changed responses to be refused, without changing the state of the code. */
export function refuses(
  kind: AddressKind,
  triesOf: (
    wallet: BitcoinWallet,
    code: FastCode,
    site: FastSite,
  ) => readonly Try[] | Promise<readonly Try[]>,
) {
  return async (site: FastSite): Promise<void> => {
    const code = await site.issue();
    const wallet = new BitcoinWallet(kind);
    await expectUnsigned(site, code, await triesOf(wallet, code, site), wallet);
  };
}
