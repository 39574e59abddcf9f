import { type Browser, HTML } from "../browser.ts";
import { block, fail, skip } from "../check.ts";
import { type Cookie, canBeSession, isRemoval } from "../cookies.ts";
import { describeUnexpectedResponse, expectStatus } from "../expect-status.ts";
import {
  type Answered,
  type Code,
  type CodeRequest,
  type FlowRun,
  type LoginCode,
  LoginSite,
} from "../flow/flow.ts";
import { retryAfterOf } from "../flow/headers.ts";
import { type ChangedResponse, expectUnsigned } from "../flow/responses.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import { type AddressKind, BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";

export const FAST_PATHS = {
  qr: "/api/getqrcode",
  check: "/api/checkfast",
  /** In a code's URL. Wallets post to it. */
  webhook: "/api/fastauth",
  /** Signs a browser in with `?sid=` and then redirects it. */
  dashboard: "/dashboard",
  /** NextAuth's callback, which a site does not need. */
  signIn: "/api/auth/callback/fast",
};

export type FastTarget = typeof FAST_PATHS & { origin: URL };

/** Signs in a browser with an answered login. */
export type SignInRedirect = {
  name: string;
  /** @returns all responses, in the order in which they arrived */
  enter: (browser: Browser, sid: string, query?: Record<string, string>) => Promise<Answer[]>;
};

type Entrances = {
  /** The dashboard, and NextAuth's callback if the site uses NextAuth. */
  all: readonly [SignInRedirect, ...SignInRedirect[]];
  /** Set at a sign-in, but not when a page is merely visited. */
  sessionCookies: ReadonlySet<string>;
  isSignedIn(browser: Browser): Promise<boolean>;
};

export const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

export type FastCode = LoginCode & {
  /** Exactly as in the QR code. A wallet signs this URL and posts to it. */
  qr: string;
  url: URL;
};
export type RequestedCode = Code & Pick<FastCode, "url" | "qr">;

export type FastRun = FlowRun<FastCode> & {
  /** Also run checks that take minutes. */
  isSlow: boolean;
  /** Set by the first check that signs a browser in. */
  entrances?: Promise<Entrances>;
};

export class FastSite extends LoginSite<FastTarget, FastRun, BitcoinWallet> {
  readonly refusals = { gone: 400, unsigned: 401, unspent: "6.2-refused-is-not-spent" };

  /** @throws {NotApplicableError} if the run was not started with `--slow` */
  requireSlowRun(): void {
    if (!this.run.isSlow) skip("It takes two minutes. Run it with --slow.");
  }

  async issue({ browser = this.browser(), sid }: CodeRequest = {}): Promise<FastCode> {
    const answer = await this.askForCode(browser, sid === undefined ? {} : { sid });
    const body = bodyOf(answer);
    if (answer.status !== 200 || typeof body.sid !== "string" || typeof body.qr !== "string")
      block("The site does not issue a code", describeUnexpectedResponse(answer));
    const url = URL.parse(body.qr);
    const challenge = url?.searchParams.get("c");
    if (!url || !challenge) block("`qr` is not a URL with a challenge", body.qr.slice(0, 200));
    const code = { sid: body.sid, qr: body.qr, url, challenge, answer, browser };
    this.run.codes.push(code);
    return code;
  }

  newWallet(): BitcoinWallet {
    return new BitcoinWallet();
  }

  webhookOf(code?: RequestedCode): string {
    return code ? code.url.pathname + code.url.search : this.target.webhook;
  }

  postForm(path: string, fields: Partial<Fields>): Promise<Answer> {
    return this.post(path, new URLSearchParams(fields).toString(), FORM);
  }

  respond(code: RequestedCode, wallet = new BitcoinWallet(), changes: Partial<Fields> = {}): Promise<Answer> {
    return this.postForm(this.webhookOf(code), wallet.fields(code.qr, changes));
  }

  foreignSignature({ qr }: RequestedCode): Partial<Fields> {
    return { sig: new BitcoinWallet().sign(qr) };
  }

  async holderOf(sid: string): Promise<true | null> {
    const { status } = bodyOf(await this.check(sid));
    return status === 1 || status === true || status === "1" ? true : null;
  }

  /**
   * The paths at which browsers sign in on this site.
   * @throws {BlockedError} if the site does not sign in the browser that started an answered login
   */
  entrances(): Promise<Entrances> {
    return this.shared("entrances", () => findEntrances(this));
  }

  async signIn(browser: Browser, sid: string, query?: Record<string, string>): Promise<Answer[]> {
    return (await this.entrances()).all[0].enter(browser, sid, query);
  }

  async isSignedIn(browser: Browser): Promise<boolean> {
    return (await this.entrances()).isSignedIn(browser);
  }

  async knownBrowser(): Promise<Browser> {
    const { browser, code } = await this.answerNewLogin();
    if (!(await this.canSignIn(browser, code.sid)))
      block("The browser that started a login is not signed in");
    return browser;
  }

  async canSignIn(browser: Browser, sid: string): Promise<boolean> {
    await this.signIn(browser, sid);
    return this.isSignedIn(browser);
  }

  async expectSignedOut(browser: Browser, sid: string, browserName: string): Promise<void> {
    for (const { name, enter } of (await this.entrances()).all) {
      await enter(browser, sid);
      if (await this.isSignedIn(browser)) fail(`${browserName} is signed in by ${name}.`);
    }
  }

  ownAnswers(): readonly Answered[] {
    const { qr, check, webhook } = this.target;
    return this.answersOf([qr, check, webhook]);
  }

  /** A GET that accepts HTML comes from a browser, not from a wallet. */
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
    await this.postForm(this.webhookOf(withQuery(code, { c: "x" })), wallet.fields(code.qr));
    await this.respond(code, wallet);
    await this.http.send({ path: this.target.check });
    await this.check(code.sid);
  }

  /** According to the site: NextAuth's user, or those of the given addresses that the dashboard shows. */
  async identityOf(browser: Browser, addresses: readonly string[]): Promise<string | null> {
    const user = await browser.user();
    if (user !== undefined && user !== null && user !== true) return `user ${user}`;
    const { text } = await browser.send({ path: this.target.dashboard, headers: HTML });
    const shownAddresses = addresses.filter((address) => text.includes(address));
    return shownAddresses.length > 0 ? shownAddresses.join(" and ") : null;
  }

  expectRefusal(answer: Answer, what: string): void {
    if (isText(answer) && answer.text.startsWith("Error: ")) return;
    const quotation = `the ${answer.status} of ${answer.name} says ${JSON.stringify(answer.text.slice(0, 80))}`;
    fail(`${what}: ${quotation} instead of plain text that begins with "Error: ".`);
  }

  expectLimited(answer: Answer): void {
    retryAfterOf(answer);
    this.expectRefusal(answer, "a request over the limit");
  }
}

export const isText = ({ headers }: Answer) => /^text\/plain\b/.test(headers["content-type"] ?? "");

/** Null removes a parameter. */
export function withQuery<Of extends RequestedCode>(code: Of, values: Record<string, string | null>): Of {
  const url = new URL(code.url);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return { ...code, url, qr: url.href };
}

export function accepts(responses: Record<string, (site: FastSite, code: FastCode) => Promise<Answer>>) {
  return async (site: FastSite): Promise<void> => {
    for (const [what, respond] of Object.entries(responses)) {
      const code = await site.issue();
      expectStatus(await respond(site, code), 200, what);
      if (!(await site.isAnswered(code.sid))) fail(`${what}: the login has no address afterwards.`);
    }
  };
}

/** The refusals must not use up the code. */
export function refuses(
  kind: AddressKind,
  triesOf: (
    wallet: BitcoinWallet,
    code: FastCode,
    site: FastSite,
  ) => readonly ChangedResponse[] | Promise<readonly ChangedResponse[]>,
) {
  return async (site: FastSite): Promise<void> => {
    const code = await site.issue();
    const wallet = new BitcoinWallet(kind);
    await expectUnsigned(site, code, await triesOf(wallet, code, site), wallet);
  };
}

/** @throws {BlockedError} if the site does not sign in the browser that started an answered login */
async function findEntrances(site: FastSite): Promise<Entrances> {
  const { target } = site;
  const byDashboard: SignInRedirect = {
    name: target.dashboard,
    enter: (browser, sid, query) =>
      browser.follow(`${target.dashboard}?${new URLSearchParams({ sid, ...query })}`),
  };
  const byNextAuth: SignInRedirect = {
    name: target.signIn,
    enter: async (browser, sid, query) => [(await browser.signIn(sid, query)).answer],
  };
  const showsDashboard = async (browser: Browser) =>
    (await browser.send({ path: target.dashboard, headers: HTML })).status === 200;

  // Cookies that the site sets even without a sign-in are not session cookies.
  const { browser: visitor, answer } = await site.issue();
  const visits = await byDashboard.enter(visitor, `${"A".repeat(32)}_1700000000`);
  const setByVisits = [answer, ...visits].flatMap(({ cookies }) => cookies.map(({ name }) => name));
  const isShownToAll = await showsDashboard(visitor);

  const { browser, code } = await site.answerNewLogin();
  const answers = await byDashboard.enter(browser, code.sid);
  const set = answers.flatMap(({ cookies }) => cookies.filter(canBeSession));
  const sessionCookies = new Set(set.map(({ name }) => name).filter((name) => !setByVisits.includes(name)));
  // A dashboard that is also shown to signed-out visitors does not prove a sign-in.
  const dashboardShowsSignIn = !isShownToAll && (await showsDashboard(browser));
  if (sessionCookies.size === 0 && !dashboardShowsSignIn)
    block(
      "The browser that started a login is not signed in",
      `${target.dashboard} does not open a session`,
      "6.4-sign-in",
    );
  return {
    all: (await hasNextAuth(site)) ? [byDashboard, byNextAuth] : [byDashboard],
    sessionCookies,
    isSignedIn: async (visiting) =>
      dashboardShowsSignIn
        ? showsDashboard(visiting)
        : [...sessionCookies].some((name) => visiting.cookies.has(name)),
  };
}

export function findSessionCookies({ sessionCookies }: Entrances, answers: readonly Answer[]): Cookie[] {
  return answers.flatMap(({ cookies }) =>
    cookies.filter((cookie) => sessionCookies.has(cookie.name) && !isRemoval(cookie)),
  );
}

async function hasNextAuth({ http, target }: FastSite): Promise<boolean> {
  const [folder, provider = ""] = target.signIn.split("/callback/");
  const answer = await http.send({ path: `${folder}/providers` });
  return answer.status === 200 && Object.hasOwn(bodyOf(answer), provider);
}
