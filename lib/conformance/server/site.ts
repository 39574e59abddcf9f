import type { Browser } from "../browser.ts";
import { Blocked, fail } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import { expectAccepted, refusalOf } from "../expect-status.ts";
import { expectErrorBody } from "../flow/errors.ts";
import type { Answered, Changes } from "../flow/flow.ts";
import { expectRetryAfter } from "../flow/limits.ts";
import { type LoginCode, type LoginRun, LoginSite } from "../flow/login-site.ts";
import type { Answer } from "../http-client.ts";
import type { Target } from "./target.ts";
import { Wallet } from "./wallet.ts";

export type Action = "login" | "register";

/** A code as the site issued it. */
export type Code = LoginCode & { action: Action; body: Record<string, unknown> };
/** A challenge, and which webhook it goes to: that of login unless it says so. */
type Challenge = { challenge: string; action?: Action };

export type Run = Omit<LoginRun, "codes"> & {
  codes: Code[];
  /** A wallet that has an account, made by the first check that needs one. */
  known?: Promise<Wallet>;
  /** What the checks of section 11 share: codes are what a run has few of. */
  shown?: Promise<Code>;
  signedIn?: Promise<Browser>;
  answered?: Promise<AnsweredCode>;
};

/** A code that a wallet with an account has answered, and what the site told that wallet. */
export type AnsweredCode = { code: Code; told: Record<string, unknown> };

/** A site with login by keys, as one check speaks to it. */
export class Site extends LoginSite<Target, Run> {
  readonly refusals = { gone: 408, unsigned: 406 };

  async issue(browser = this.browser(), sid?: string, action: Action = "login"): Promise<Code> {
    const answer = await this.askForCode(browser, { mode: action, ...(sid === undefined ? {} : { sid }) });
    const body = (answer.json ?? {}) as Record<string, unknown>;
    if (answer.status !== 200 || typeof body.sid !== "string" || typeof body.challenge !== "string") {
      throw new Blocked(`The site gives no code: ${refusalOf(answer)}`);
    }
    const code = { sid: body.sid, challenge: body.challenge, answer, body, browser, action };
    this.run.codes.push(code);
    return code;
  }

  issueForNew(browser = this.browser(), sid?: string): Promise<Code> {
    return this.issue(browser, sid, "register");
  }

  override async renew({ browser, sid, action }: Code): Promise<Code> {
    const code = await this.issue(browser, sid, action);
    if (code.sid !== sid) throw new Blocked("A refresh starts another login here.");
    return code;
  }

  override async givenCodes(): Promise<Code[]> {
    for (const action of ["login", "register"] as const) {
      if (!this.run.codes.some((code) => code.action === action))
        await this.issue(undefined, undefined, action);
    }
    return this.run.codes;
  }

  newWallet(): Wallet {
    return new Wallet();
  }

  webhook(action: Action): string {
    return `${this.target.webhook}/${action}`;
  }

  webhookOf(code?: Challenge): string {
    return this.webhook(code ? (code.action ?? "login") : "register");
  }

  respond(code: Challenge, wallet: Wallet, changes: Changes = {}): Promise<Answer> {
    return this.post(this.webhookOf(code), wallet.response(code.challenge, changes));
  }

  foreignSignature({ challenge }: Challenge): Changes {
    return { signature: new Wallet().sign(challenge) };
  }

  /** A well-formed response of a wallet that nobody knows, to a challenge that nobody has issued. */
  strangeResponse(): object {
    return new Wallet().response(`svc:login:${this.target.origin.hostname}:1700000000:${"A".repeat(32)}`);
  }

  knownWallet(): Promise<Wallet> {
    const { run } = this;
    run.known ??= this.answered().then(({ wallet }) => wallet);
    return run.known.catch((error) => {
      delete run.known;
      throw error;
    });
  }

  async answered(wallet = new Wallet(), browser = this.browser()) {
    return { ...(await this.#answer(await this.issueForNew(browser), wallet)), wallet };
  }

  /** A browser whose login a wallet with an account has answered. @throws {Blocked} where that does not work */
  async loggedIn(wallet: Wallet, browser = this.browser()) {
    return this.#answer(await this.issue(browser), wallet);
  }

  async #answer(code: Code, wallet: Wallet) {
    expectAccepted(await this.respond(code, wallet));
    return { browser: code.browser, code };
  }

  /** The `status` of a login and its user. */
  async statusOf(sid: string): Promise<{ status: unknown; userId: unknown }> {
    const body = ((await this.check(sid)).json ?? {}) as Record<string, unknown>;
    return { status: body.status, userId: body.user_id };
  }

  async holderOf(sid: string): Promise<unknown> {
    const { status, userId } = await this.statusOf(sid);
    return status === "authenticated" ? (userId ?? true) : null;
  }

  /** The user that an answered login belongs to. @throws {Blocked} where the status does not say */
  async userOf(sid: string): Promise<unknown> {
    const { status, userId } = await this.statusOf(sid);
    if (status !== "authenticated" || userId === undefined) {
      throw new Blocked(`The status of an answered login is ${JSON.stringify(status)} here.`);
    }
    return userId;
  }

  /** A browser that is signed in as a new user. @throws {Blocked} where that does not work */
  async signedIn() {
    const login = await this.answered();
    return { ...login, session: await this.enter(login.browser, login.code.sid) };
  }

  /** Signs in the browser that started a login. @throws {Blocked} where that does not work */
  async enter(browser: Browser, sid: string, more = {}): Promise<Cookie> {
    const { session, answer } = await browser.signIn(sid, more);
    if (!session) throw new Blocked(`Nobody can be signed in: ${whyNoSession(answer)}`);
    return session;
  }

  /** A browser in which the known wallet's user is signed in, made by the first check that needs one. */
  knownBrowser(): Promise<Browser> {
    const { run } = this;
    run.signedIn ??= this.knownWallet().then((wallet) => this.signedInBrowser(wallet));
    return run.signedIn.catch((error) => {
      delete run.signedIn;
      throw error;
    });
  }

  /** A signed-in browser of a wallet that others use too: registrations are what a run has fewest of. */
  async signedInBrowser(wallet: Wallet): Promise<Browser> {
    const { browser, code } = await this.loggedIn(wallet);
    await this.enter(browser, code.sid);
    return browser;
  }

  async expectSignIn(): Promise<void> {
    await this.knownBrowser();
  }

  async signsIn(browser: Browser, sid: string): Promise<boolean> {
    await this.expectSignIn();
    return (await browser.signIn(sid)).session !== null || Boolean(await browser.user());
  }

  async expectNobody(browser: Browser, sid: string, who: string, more = {}): Promise<void> {
    await this.expectSignIn();
    const { session } = await browser.signIn(sid, more);
    if (session) fail(`${who} is signed in: it gets the cookie ${session.name}.`);
    const user = await browser.user();
    if (user !== null && user !== undefined) fail(`${who} is signed in as ${JSON.stringify(user)}.`);
  }

  ownAnswers(): readonly Answered[] {
    const { qr, check, events } = this.target;
    const own = this.answersOf([qr, check, events, this.webhook("login"), this.webhook("register")]);
    return own.filter((answered) => !this.#isUnknownQuestion(answered));
  }

  /** Whether a site that does not say who is asking was asked that (section 11.1): no rule says what it answers. */
  #isUnknownQuestion({ request: { method = "GET", path }, answer: { status, json } }: Answered): boolean {
    const isQuestion = method === "GET" && path.startsWith(`${this.target.webhook}/`);
    return isQuestion && status !== 408 && !(status === 200 && json !== undefined);
  }

  walletAnswers(): readonly Answered[] {
    return this.ownAnswers().filter(
      ({ request: { method, path } }) => method === "POST" && path.startsWith(`${this.target.webhook}/`),
    );
  }

  async provoke(): Promise<void> {
    await this.givenCodes();
    const refused = this.ownAnswers().filter(({ answer }) => answer.status >= 400);
    if (refused.some(({ request }) => request.method === "POST") && refused.length > 3) return;
    await this.post(this.webhook("login"), "{");
    await this.post(this.webhook("login"), { ...this.strangeResponse(), challenge: "svc:login:x" });
    await this.http.send({ path: this.target.check });
    await this.check("A".repeat(40));
  }

  expectRefusal(answer: Answer, what: string): void {
    expectErrorBody(answer, what);
  }

  expectLimited(answer: Answer): void {
    expectRetryAfter(answer);
    const { error } = (answer.json ?? {}) as { error?: { code?: unknown } };
    if (error?.code !== "rate_limited")
      fail(
        `The 429 of ${answer.name} has the code ${JSON.stringify(error?.code)} instead of "rate_limited".`,
      );
  }
}

/** Why a sign-in is none, in a sentence. */
export function whyNoSession(answer: Answer): string {
  if (answer.status >= 400) return refusalOf(answer);
  const names = answer.cookies.map(({ name }) => name).join(", ") || "none";
  return `${answer.name} answers ${answer.status} without a session's cookie. It sets ${names}.`;
}
