import { Browser } from "../browser.ts";
import { block, skip } from "../check.ts";
import { expectAccepted } from "../expect-status.ts";
import { type Answer, bodyOf, type HttpClient, type Outgoing, withBody } from "../http-client.ts";

export type Answered = { request: Outgoing; answer: Answer };

export type Code = { sid: string; challenge: string };

export type ResponseChanges = Record<string, unknown>;

/** All responses and codes so far, oldest first. */
export type FlowRun<Issued extends Code = Code> = { answers: Answered[]; codes: Issued[] };

/**
 * One kind of login on the tested site. Each check gets its own object. The checks in this folder test what all flows
 * have in common.
 */
export abstract class Flow<
  Target = { origin: URL },
  Run extends FlowRun = FlowRun,
  Wallet extends object = object,
> {
  readonly http: HttpClient;
  readonly target: Target;
  readonly run: Run;
  readonly wait: (seconds: number) => Promise<void>;
  /**
   * Statuses of refusals: `gone` if the challenge can no longer be answered, and `unsigned` if the key or the signature
   * is wrong.
   */
  abstract readonly refusals: { gone: number; unsigned: number };

  constructor(parts: Pick<Flow<Target, Run>, "http" | "target" | "run" | "wait">) {
    this.http = parts.http;
    this.target = parts.target;
    this.run = parts.run;
    this.wait = parts.wait;
  }

  /** @throws {BlockedError} if the site does not issue a code */
  abstract issue(): Promise<Run["codes"][number]>;
  /**
   * For the same login.
   * @throws {BlockedError} if the code belongs to a different login
   */
  abstract renew(code: Code): Promise<Run["codes"][number]>;
  abstract newWallet(): Wallet;
  /** Without `wallet`, the response comes from a new wallet, if the flow allows that. */
  abstract respond(code: Code, wallet?: Wallet, changes?: ResponseChanges): Promise<Answer>;
  /** According to the login's status. Null if no wallet has answered. */
  abstract holderOf(sid: string): Promise<unknown>;
  /** Wallets post a response to this path. Without `code`, returns the path for codes that require no account. */
  abstract webhookOf(code?: Code): string;

  abstract provoke(): Promise<void>;
  abstract ownAnswers(): readonly Answered[];
  abstract walletAnswers(): readonly Answered[];
  abstract expectRefusal(answer: Answer, what: string): void;
  abstract expectLimited(answer: Answer): void;

  /**
   * A wallet without an account can answer this code.
   * @throws {BlockedError} if the site does not issue one
   */
  issueForNew(): Promise<Run["codes"][number]> {
    return this.issue();
  }

  async codesOfRun(): Promise<Run["codes"]> {
    if (this.run.codes.length === 0) await this.issue();
    return this.run.codes;
  }

  /** All codes of the run, after requesting new ones if there are fewer than `count`. */
  async collectCodes(count: number): Promise<Run["codes"]> {
    while (this.run.codes.length < count) await this.issue();
    return this.run.codes;
  }

  ask(method: string, path: string): Promise<Answer> {
    return this.http.send({ method, path });
  }

  /** Strings and bytes are sent unchanged, and other values as JSON. */
  post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    more: Partial<Outgoing> = {},
  ): Promise<Answer> {
    return this.http.send({ method: "POST", path, ...more, ...withBody(body, headers) });
  }

  answersOf(paths: readonly string[]): readonly Answered[] {
    return this.run.answers.filter(
      ({ request }) => paths.includes(request.path.split("?")[0] ?? "") && !request.hostile,
    );
  }

  /**
   * Creates the value if no check has done so. If the creation fails, the next check that needs the value tries again.
   */
  protected async shared<Name extends keyof Run>(
    name: Name,
    make: () => NonNullable<Run[Name]>,
  ): Promise<Awaited<NonNullable<Run[Name]>>> {
    this.run[name] ??= make();
    try {
      return await (this.run[name] as NonNullable<Run[Name]>);
    } catch (error) {
      delete this.run[name];
      throw error;
    }
  }
}

export type LoginCode = Code & { answer: Answer; browser: Browser };

type LoginTarget = { origin: URL; qr: string; check: string; signIn: string };

/** By default, a new browser. A code has both fields, so it can also be passed. */
export type CodeRequest = { browser?: Browser; sid?: string };

export abstract class LoginSite<
  Target extends LoginTarget = LoginTarget,
  Run extends FlowRun<LoginCode> = FlowRun<LoginCode>,
  Wallet extends object = object,
> extends Flow<Target, Run, Wallet> {
  abstract override issue(asking?: CodeRequest): Promise<Run["codes"][number]>;
  /** Changes that replace a response's signature with another wallet's. */
  abstract foreignSignature(code: Code): ResponseChanges;
  /** @throws {BlockedError} if the site does not sign in any user */
  abstract canSignIn(browser: Browser, sid: string): Promise<boolean>;
  abstract expectSignedOut(browser: Browser, sid: string, who: string): Promise<void>;
  /** @throws {BlockedError} if the site signs no browser in */
  abstract knownBrowser(): Promise<Browser>;
  /** `unspent` is the check that a challenge remains valid after a refused response. */
  abstract override readonly refusals: { gone: number; unsigned: number; unspent: string };

  get isSecure(): boolean {
    return this.target.origin.protocol === "https:";
  }

  override issueForNew(asking?: CodeRequest): Promise<Run["codes"][number]> {
    return this.issue(asking);
  }

  /** @throws {BlockedError} if no wallet can get an account */
  async knownWallet(): Promise<Wallet> {
    return this.newWallet();
  }

  /**
   * In a new browser by default.
   * @throws {BlockedError} if that fails
   */
  async answerNewLogin(wallet = this.newWallet(), browser = this.browser()) {
    const code = await this.issueForNew({ browser });
    return { browser, code, wallet, details: await this.answer(code, wallet) };
  }

  /**
   * Returns the members of the site's response.
   * @throws {BlockedError} if the site refuses the answer
   */
  protected async answer(code: Run["codes"][number], wallet: Wallet): Promise<Record<string, unknown>> {
    const answer = await this.respond(code, wallet);
    expectAccepted(answer);
    return bodyOf(answer);
  }

  browser(): Browser {
    return new Browser(this.http, this.target);
  }

  /** The thief has started a different login and knows the contents of the victim's code. */
  async createThief(): Promise<Browser> {
    return (await this.issue()).browser;
  }

  async renew(code: Run["codes"][number]): Promise<Run["codes"][number]> {
    const next = await this.issue(code);
    if (next.sid !== code.sid) block("A refresh starts another login");
    return next;
  }

  async isAnswered(sid: string): Promise<boolean> {
    return (await this.holderOf(sid)) !== null;
  }

  /** As a page does. Returns the response, even if it is a refusal. */
  askForCode(
    browser = this.browser(),
    query: Record<string, string> = {},
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const text = new URLSearchParams(query).toString();
    return browser.send({ path: text ? `${this.target.qr}?${text}` : this.target.qr, headers });
  }

  /** Intents are optional. A site that supports them issues codes with an intent to signed-in browsers. */
  async supportsIntents(): Promise<boolean> {
    const browser = await this.knownBrowser();
    for (const intent of ["approve", "add"]) {
      const { qr } = bodyOf(await this.askForCode(browser, { intent }));
      if (/[?&]intent=(?:approve|add)(?:&|$)/.test(String(qr))) return true;
    }
    return false;
  }

  /** @throws {NotApplicableError} if the site does not support intents */
  async requireIntents(): Promise<void> {
    if (!(await this.supportsIntents())) skip("The site does not issue codes with an intent.");
  }

  check(sid: string, browser = this.browser()): Promise<Answer> {
    return browser.send({ path: `${this.target.check}?${new URLSearchParams({ sid })}` });
  }
}
