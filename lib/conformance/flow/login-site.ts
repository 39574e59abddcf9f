import { Browser } from "../browser.ts";
import { Blocked } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { type Changes, type Code, Flow, type FlowRun } from "./flow.ts";

/** A code, as far as it is the same in every flow that binds a browser. */
export type LoginCode = Code & { answer: Answer; browser: Browser };

type LoginTarget = { origin: URL; qr: string; check: string; signIn: string };

/** What all checks of a run share: also every code that it has been given, in order. */
export type LoginRun = FlowRun & { codes: LoginCode[] };

/** A site's own login, by keys or by addresses. */
export abstract class LoginSite<
  Target extends LoginTarget = LoginTarget,
  Run extends LoginRun = LoginRun,
> extends Flow<Target, Run> {
  /** A code to work with. @throws {Blocked} where the site gives none */
  abstract issue(browser?: Browser, sid?: string): Promise<LoginCode>;
  abstract override issueForNew(): Promise<LoginCode>;
  /** A wallet that may answer any code. @throws {Blocked} where none can be had */
  abstract knownWallet(): Promise<object>;
  /** A browser whose login a new wallet has answered. @throws {Blocked} where that does not work */
  abstract answered(): Promise<{ browser: Browser; code: LoginCode; wallet: object }>;
  /** What a wallet sends instead of its own signature: another one's. */
  abstract foreignSignature(code: Code): Changes;
  /** Makes sure that somebody can be signed in, or nobody proves nothing. @throws {Blocked} where that does not work */
  abstract expectSignIn(): Promise<unknown>;
  /** Whether a login signs this browser in. @throws {Blocked} where no login signs anybody in */
  abstract signsIn(browser: Browser, sid: string): Promise<boolean>;
  /** @throws {Failure} where a login signs this browser in, by any way that the site has */
  abstract expectNobody(browser: Browser, sid: string, who: string): Promise<void>;

  get isSecure(): boolean {
    return this.target.origin.protocol === "https:";
  }

  browser(): Browser {
    return new Browser(this.http, this.target);
  }

  /** A thief knows what the code shows, and has a browser of its own with a login of its own. */
  async thief(): Promise<Browser> {
    return (await this.issue()).browser;
  }

  async renew({ browser, sid }: LoginCode): Promise<LoginCode> {
    const code = await this.issue(browser, sid);
    if (code.sid !== sid) throw new Blocked("A refresh starts another login here.");
    return code;
  }

  async isAnswered(sid: string): Promise<boolean> {
    return (await this.holderOf(sid)) !== null;
  }

  /** Asks for a code as a page does, whatever comes back. */
  askForCode(browser = this.browser(), query: Record<string, string> = {}): Promise<Answer> {
    const text = new URLSearchParams(query).toString();
    return browser.send({ path: text ? `${this.target.qr}?${text}` : this.target.qr });
  }

  /** The status of a login, as anybody may ask. */
  check(sid: string, browser = this.browser()): Promise<Answer> {
    return browser.send({ path: `${this.target.check}?${new URLSearchParams({ sid })}` });
  }

  /** Every code that the run was given, and one where it was given none. */
  async givenCodes(): Promise<Run["codes"]> {
    if (this.run.codes.length === 0) await this.issue();
    return this.run.codes;
  }

  /** As many codes as it takes to see what repeats: those of the whole run, and some of its own. */
  async manyCodes(count: number): Promise<Run["codes"]> {
    while (this.run.codes.length < count) await this.issue();
    return this.run.codes;
  }
}
