import type { Browser } from "../browser.ts";
import { Blocked } from "../check.ts";
import { expectAccepted, expectStatus } from "../expect-status.ts";
import type { Answer } from "../http-client.ts";
import { type LoginCode, LoginSite } from "../login-site.ts";
import type { Answered } from "../under-test.ts";
import type { Target } from "./target.ts";
import { Wallet, type WalletResponse } from "./wallet.ts";

export type Action = "login" | "register";

/** A code as the site issued it. */
export type Code = LoginCode & { body: Record<string, unknown> };

/** What all checks of a run share. */
export type Run = {
  /** Every answer of the site so far. */
  answers: Answered[];
  /** Every code that a run has been given, in order. */
  codes: (Code & { browser: Browser; action: Action })[];
  /** A wallet that has an account, made by the first check that needs one. */
  known?: Promise<Wallet>;
};

/** The site under test, as one check speaks to it. */
export class Site extends LoginSite<Target, Run> {
  /** A code to work with. @throws {Blocked} where the site gives none */
  async issue(browser: Browser, action: Action = "login", sid?: string): Promise<Code> {
    const answer = await this.askForCode(
      browser,
      sid === undefined ? { mode: action } : { mode: action, sid },
    );
    const body = (answer.json ?? {}) as Record<string, unknown>;
    if (answer.status !== 200 || typeof body.sid !== "string" || typeof body.challenge !== "string") {
      throw new Blocked(`${answer.name} gives no code: ${answer.status}.`);
    }
    const code = { sid: body.sid, challenge: body.challenge, answer, body };
    this.run.codes.push({ ...code, browser, action });
    return code;
  }

  /** Posts to a webhook; a string goes as it stands. */
  post(action: Action, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.http.send({
      method: "POST",
      path: this.webhook(action),
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  }

  webhook(action: Action): string {
    return `${this.target.webhook}/${action}`;
  }

  /** A well-formed response of a wallet that nobody knows. */
  response(
    challenge = `svc:login:${this.target.origin.hostname}:1700000000:${"A".repeat(32)}`,
  ): WalletResponse {
    return new Wallet().response(challenge);
  }

  /** Sends what a wallet posts for a code. */
  respond(
    action: Action,
    wallet: Wallet,
    { challenge }: Pick<Code, "challenge">,
    changes: Partial<Record<keyof WalletResponse, unknown>> = {},
  ): Promise<Answer> {
    return this.post(action, wallet.response(challenge, changes));
  }

  /** A wallet that has an account. @throws {Blocked} where none can be had */
  knownWallet(): Promise<Wallet> {
    const { run } = this;
    run.known ??= this.register().then(({ wallet }) => wallet);
    return run.known.catch((error) => {
      delete run.known;
      throw error;
    });
  }

  /** A browser whose login a wallet has answered, as a new user. @throws {Blocked} where that does not work */
  async register(wallet = new Wallet(), browser = this.browser()) {
    return { ...(await this.answered("register", wallet, browser)), wallet };
  }

  /** A browser whose login a wallet has answered. @throws {Blocked} where that does not work */
  async answered(action: Action, wallet: Wallet, browser = this.browser()) {
    const code = await this.issue(browser, action);
    expectAccepted(await this.respond(action, wallet, code));
    return { browser, code };
  }

  /** The status of a login, as anybody may ask. */
  async check(sid: string, browser = this.browser()): Promise<Answer> {
    return browser.send({ path: `${this.target.check}?sid=${encodeURIComponent(sid)}` });
  }

  /** The `status` of a login and its user. */
  async statusOf(sid: string): Promise<{ status: unknown; userId: unknown }> {
    const body = ((await this.check(sid)).json ?? {}) as Record<string, unknown>;
    return { status: body.status, userId: body.user_id };
  }

  /** The user that an answered login belongs to. @throws {Blocked} where the status does not say */
  async userOf(sid: string): Promise<unknown> {
    const { status, userId } = await this.statusOf(sid);
    if (status !== "authenticated" || userId === undefined) {
      throw new Blocked(`The status of an answered login is ${JSON.stringify(status)} here.`);
    }
    return userId;
  }
}

/** @throws {Failure} unless key or signature are refused; {Blocked} where the challenge is, so that nothing is told */
export function expectUnsigned(answer: Answer, what: string): void {
  if (answer.status === 408)
    throw new Blocked(`After a refused response the challenge is refused too: ${what}.`);
  expectStatus(answer, 406, what);
}
