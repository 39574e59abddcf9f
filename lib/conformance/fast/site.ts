import { Blocked, fail, NotApplicable } from "../check.ts";
import { expectAccepted } from "../expect-status.ts";
import type { Answer, Outgoing } from "../http-client.ts";
import { type LoginCode, LoginSite } from "../login-site.ts";
import type { Answered } from "../under-test.ts";
import { BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import type { FastTarget } from "./target.ts";

/** A code as the site issued it. */
export type FastCode = LoginCode & {
  /** The QR URL to the letter: what a wallet signs and posts to. */
  qr: string;
  url: URL;
};

/** What all checks of a run share. */
export type FastRun = {
  /** Every answer of the site so far. */
  answers: Answered[];
  /** Every code that the run has been given, in order. */
  codes: FastCode[];
};

/** A site with fast login, as one check speaks to it. */
export class FastSite extends LoginSite<FastTarget, FastRun> {
  /** Whether this run may take minutes. */
  readonly isSlow: boolean;

  constructor(parts: Pick<FastSite, "http" | "target" | "run" | "wait" | "isSlow">) {
    super(parts);
    this.isSlow = parts.isSlow;
  }

  /** @throws {NotApplicable} where this run may not take minutes */
  needsSlow(): void {
    if (!this.isSlow) throw new NotApplicable("It takes two minutes: --slow runs it.");
  }

  /** A code to work with. @throws {Blocked} where the site gives none */
  async issue(browser = this.browser(), sid?: string): Promise<FastCode> {
    const answer = await this.askForCode(browser, sid === undefined ? {} : { sid });
    const body = (answer.json ?? {}) as Record<string, unknown>;
    if (answer.status !== 200 || typeof body.sid !== "string" || typeof body.qr !== "string") {
      throw new Blocked(`${answer.name} gives no code: ${answer.status} ${answer.text.slice(0, 80)}.`);
    }
    const url = URL.canParse(body.qr) ? new URL(body.qr) : null;
    const challenge = url?.searchParams.get("c");
    if (!url || !challenge) throw new Blocked(`\`qr\` is no URL with a challenge: ${body.qr.slice(0, 200)}.`);
    const code = { sid: body.sid, qr: body.qr, url, challenge, answer };
    this.run.codes.push(code);
    return code;
  }

  /** Posts a form to a path with its query, as a wallet does. */
  postForm(path: string, fields: Partial<Fields>): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    return this.post(path, body, "application/x-www-form-urlencoded");
  }

  post(path: string, body: string | Uint8Array, type: string, more: Partial<Outgoing> = {}): Promise<Answer> {
    return this.http.send({ method: "POST", path, headers: { "Content-Type": type }, body, ...more });
  }

  /** Sends what a wallet posts for a code. */
  respond(code: FastCode, wallet: BitcoinWallet, changes: Partial<Fields> = {}): Promise<Answer> {
    return this.postForm(pathOf(code), wallet.fields(code.qr, changes));
  }

  /** A browser whose login a wallet has answered. @throws {Blocked} where that does not work */
  async answered(wallet = new BitcoinWallet(), browser = this.browser()) {
    const code = await this.issue(browser);
    expectAccepted(await this.respond(code, wallet));
    return { browser, code, wallet };
  }

  /** The status of a login, as anybody may ask. */
  check(sid: string, browser = this.browser()): Promise<Answer> {
    return browser.send({ path: `${this.target.check}?${new URLSearchParams({ sid })}` });
  }

  /** Whether a login is answered, however the site writes that. */
  async isAnswered(sid: string): Promise<boolean> {
    const { status } = ((await this.check(sid)).json ?? {}) as { status?: unknown };
    return status === 1 || status === true || status === "1";
  }
}

/** Where a wallet posts its response: the QR URL without its origin. */
export function pathOf({ url }: Pick<FastCode, "url">): string {
  return url.pathname + url.search;
}

/** A code's URL with other values in its query; null takes a name out. */
export function changed(
  { url }: FastCode,
  values: Record<string, string | null>,
): Pick<FastCode, "url" | "qr"> {
  const other = new URL(url);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  }
  return { url: other, qr: other.href };
}

/** Ways to change what a wallet sends, each with its name. */
export type Changes = (
  wallet: BitcoinWallet,
  qr: string,
) => readonly (readonly [what: string, changes: Partial<Fields>])[];

const WORDS: Record<number, string> = {
  200: "successfully authenticated",
  400: "no challenge found",
  401: "could not verify",
};

/** @throws {Failure} unless the answer has this status. Its words are another check's. */
export function expectAnswer(answer: Answer, status: 200 | 400 | 401, what: string): void {
  if (answer.status === status) return;
  const said = answer.text.slice(0, 60);
  fail(
    `${what}: ${answer.name} answers ${answer.status} ${JSON.stringify(said)} instead of ${status} "${WORDS[status]}".`,
  );
}
