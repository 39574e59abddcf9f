import type { Browser } from "../browser.ts";
import { block, fail } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import { describeUnexpectedResponse, expectEqual } from "../expect-status.ts";
import { errorOf, expectErrorBody } from "../flow/errors.ts";
import {
  type Answered,
  type CodeRequest,
  type FlowRun,
  type LoginCode,
  LoginSite,
  type ResponseChanges,
} from "../flow/flow.ts";
import { expectRetryAfter } from "../flow/headers.ts";
import { Wallet } from "../flow/wallet.ts";
import { type Answer, bodyOf, type EventStream } from "../http-client.ts";

export const DEFAULT_PATHS = {
  qr: "/api/svc/qr",
  check: "/api/svc/check",
  events: "/api/svc/events",
  /** `/login` and `/register` are appended. */
  webhook: "/webhook",
  /** NextAuth's callback, or any other path that accepts `{"sid":…}`. */
  signIn: "/api/auth/callback/svc",
  /** Returns the signed-in user. Null stands for NextAuth's path. */
  session: null as string | null,
  /** Signs out in response to a POST. Null stands for NextAuth's path. */
  signOut: null as string | null,
};

export type Target = typeof DEFAULT_PATHS & { origin: URL };

export type Action = "login" | "register";

export type Code = LoginCode & { action: Action; body: Record<string, unknown> };
/** The webhook depends on the action. The default is `login`. */
type Challenge = { challenge: string; action?: Action };

export type Run = FlowRun<Code> & {
  /** Has an account. The first check that needs the wallet registers it. */
  known?: Promise<Wallet>;
  /** The checks of section 11 share this code, because a run can request only a limited number of codes. */
  shown?: Promise<Code>;
  signedIn?: Promise<Browser>;
  answered?: Promise<AnsweredCode>;
};

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** From the site's 200 response to an accepted answer. */
export type Details = Record<string, unknown>;
type AnsweredCode = { browser: Browser; code: Code; details: Details };

export class Site extends LoginSite<Target, Run, Wallet> {
  readonly refusals = { gone: 408, unsigned: 406, unspent: "1.1-refused-is-not-spent" };

  async issue({
    browser = this.browser(),
    sid,
    action = "login",
    headers,
  }: CodeRequest & { action?: Action; headers?: Record<string, string> } = {}): Promise<Code> {
    const query = { mode: action, ...(sid === undefined ? {} : { sid }) };
    const answer = await this.askForCode(browser, query, headers);
    const body = bodyOf(answer);
    if (answer.status !== 200 || typeof body.sid !== "string" || typeof body.challenge !== "string")
      block("The site does not issue a code", describeUnexpectedResponse(answer));
    const code = { sid: body.sid, challenge: body.challenge, answer, body, browser, action };
    this.run.codes.push(code);
    return code;
  }

  override issueForNew({ browser, sid }: CodeRequest = {}): Promise<Code> {
    return this.issue({ browser, sid, action: "register" });
  }

  override async codesOfRun(): Promise<Code[]> {
    for (const action of ["login", "register"] as const) {
      if (!this.run.codes.some((code) => code.action === action)) await this.issue({ action });
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

  respond(code: Challenge, wallet: Wallet, changes: ResponseChanges = {}): Promise<Answer> {
    return this.post(this.webhookOf(code), wallet.response(code.challenge, changes));
  }

  foreignSignature({ challenge }: Challenge): ResponseChanges {
    return { signature: new Wallet().sign(challenge) };
  }

  issueFor(userAgent: string): Promise<Code> {
    return this.issue({ headers: { "User-Agent": userAgent } });
  }

  /**
   * The known wallet has answered. The browser, in which no user is signed in yet, requested the code and claims to be
   * Chrome.
   */
  answerNewCode(): Promise<AnsweredCode> {
    return this.shared("answered", async () => {
      const wallet = await this.knownWallet();
      const code = await this.issueFor(CHROME);
      return { browser: code.browser, code, details: await this.answer(code, wallet) };
    });
  }

  override knownWallet(): Promise<Wallet> {
    return this.shared("known", async () => (await this.answerNewLogin()).wallet);
  }

  /**
   * The wallet has an account.
   * @throws {BlockedError} if the login or the answer fails
   */
  async logIn(wallet: Wallet, browser = this.browser()) {
    const code = await this.issue({ browser });
    return { browser, code, details: await this.answer(code, wallet) };
  }

  async statusOf(sid: string): Promise<{ status: unknown; userId: unknown }> {
    const { status, user_id: userId } = bodyOf(await this.check(sid));
    return { status, userId };
  }

  async holderOf(sid: string): Promise<unknown> {
    const { status, userId } = await this.statusOf(sid);
    return status === "authenticated" ? (userId ?? true) : null;
  }

  /** @throws {BlockedError} if the login's status does not contain the user */
  async userOf(sid: string): Promise<unknown> {
    const { status, userId } = await this.statusOf(sid);
    if (status !== "authenticated" || userId === undefined)
      block("The status does not name the user of an answered login", `it is ${JSON.stringify(status)}`);
    return userId;
  }

  async expectPending(sid: string, after: string): Promise<void> {
    expectEqual((await this.statusOf(sid)).status, "pending", `After ${after} the status`);
  }

  /** @throws {BlockedError} if the registration or the sign-in fails */
  async signInNewUser() {
    const login = await this.answerNewLogin();
    return { ...login, session: await this.signIn(login.browser, login.code.sid) };
  }

  /** @throws {BlockedError} if the site refuses the browser that started the login */
  async signIn(browser: Browser, sid: string, more = {}): Promise<Cookie> {
    const { session, answer } = await browser.signIn(sid, more);
    if (!session) block("No browser can be signed in", missingSessionReason(answer), "3.5-sign-in");
    return session;
  }

  /** The user of the known wallet is signed in. The first check that needs the browser signs it in. */
  knownBrowser(): Promise<Browser> {
    return this.shared("signedIn", async () => this.openSignedInBrowser(await this.knownWallet()));
  }

  /** A run can register only a limited number of wallets, so several checks use the same one. */
  async openSignedInBrowser(wallet: Wallet): Promise<Browser> {
    const { browser, code } = await this.logIn(wallet);
    await this.signIn(browser, code.sid);
    return browser;
  }

  async canSignIn(browser: Browser, sid: string): Promise<boolean> {
    await this.knownBrowser();
    return (await browser.signIn(sid)).session !== null || Boolean(await browser.user());
  }

  async expectSignedOut(browser: Browser, sid: string, browserName: string, more = {}): Promise<void> {
    // If the site refused every sign-in, this refusal would prove nothing.
    await this.knownBrowser();
    const { session } = await browser.signIn(sid, more);
    if (session) fail(`${browserName} is signed in: it gets the cookie ${session.name}.`);
    const user = await browser.user();
    if (user !== null && user !== undefined) fail(`${browserName} is signed in as ${JSON.stringify(user)}.`);
  }

  /** docs/protocol.md#34-get-apisvcevents. */
  events(browser: Browser, sid: string, headers: Record<string, string> = {}): Promise<EventStream> {
    return browser.listen(`${this.target.events}?sid=${encodeURIComponent(sid.toWellFormed())}`, headers);
  }

  ownAnswers(): readonly Answered[] {
    const { qr, check, events } = this.target;
    const own = this.answersOf([qr, check, events, this.webhook("login"), this.webhook("register")]);
    return own.filter((answered) => !this.#isUnknownQuestion(answered));
  }

  /**
   * A wallet asks about a code (section 11.1), but the site does not answer such questions. No rule defines how such a
   * site responds.
   */
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
    await this.codesOfRun();
    const refused = this.ownAnswers().filter(({ answer }) => answer.status >= 400);
    if (refused.some(({ request }) => request.method === "POST") && refused.length > 3) return;
    await this.post(this.webhook("login"), "{");
    await this.respond({ challenge: "svc:login:x" }, new Wallet());
    await this.http.send({ path: this.target.check });
    await this.check("A".repeat(40));
  }

  expectRefusal(answer: Answer, what: string): void {
    expectErrorBody(answer, what);
  }

  expectLimited(answer: Answer): void {
    expectRetryAfter(answer);
    expectEqual(errorOf(answer).code, "rate_limited", `The code of the 429 of ${answer.name}`);
  }
}

export const NO_SESSION_PATH =
  'The kit cannot ask this site who is signed in. Pass the path that returns {"user":{"id":…}} or {"user_id":…} with --session.';

export function missingSessionReason(answer: Answer): string {
  if (answer.status >= 400) return describeUnexpectedResponse(answer);
  const names = answer.cookies.map(({ name }) => name).join(", ") || "none";
  return `${answer.name} answers ${answer.status} without a session cookie. It sets ${names}.`;
}
