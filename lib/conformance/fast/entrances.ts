import type { Browser } from "../browser.ts";
import { Blocked } from "../check.ts";
import { type Cookie, canBeSession, isRemoval } from "../cookies.ts";
import type { Answer, HttpClient } from "../http-client.ts";
import type { FastTarget } from "./target.ts";

/** A way to be signed in by a login that a wallet has answered. */
export type Entrance = {
  name: string;
  /** @returns the answers on the way, the last one last */
  enter: (browser: Browser, sid: string, query?: Record<string, string>) => Promise<Answer[]>;
};

/** What is visited: a site with fast login. */
type Visited = {
  http: HttpClient;
  target: FastTarget;
  browser(): Browser;
  issue(browser: Browser): Promise<{ answer: Answer }>;
  answered(): Promise<{ browser: Browser; code: { sid: string } }>;
};

/** The site's own browser is not signed in, so nothing can be told about others. */
export class NotSignedIn extends Blocked {}

const REDIRECTS_AT_MOST = 6;
const HTML = { Accept: "text/html,*/*" };

/** How a sign-in looks at a site. */
export class Entrances {
  /** The dashboard, and NextAuth's callback where the site has it. */
  readonly all: readonly [Entrance, ...Entrance[]];
  /** Cookies that a sign-in sets and a visit does not. */
  readonly sessionCookies: ReadonlySet<string>;
  /** Whether the dashboard itself shows who is signed in: it is shown to nobody else. */
  readonly #dashboardTells: boolean;
  readonly #target: FastTarget;

  private constructor(
    target: FastTarget,
    all: readonly [Entrance, ...Entrance[]],
    sessionCookies: ReadonlySet<string>,
    dashboardTells: boolean,
  ) {
    this.all = all;
    this.sessionCookies = sessionCookies;
    this.#dashboardTells = dashboardTells;
    this.#target = target;
  }

  /** Signs in once, and looks. @throws {Blocked} where the browser that started a login is not signed in */
  static async find(site: Visited): Promise<Entrances> {
    const { target } = site;
    const dashboard: Entrance = {
      name: target.dashboard,
      enter: (browser, sid, query) => followDashboard(target, browser, sid, query),
    };
    // What a visit sets that signs nobody in is no session.
    const visitor = site.browser();
    const { answer } = await site.issue(visitor);
    const visits = await dashboard.enter(visitor, `${"A".repeat(32)}_1700000000`);
    const setByVisits = new Set(
      [answer, ...visits].flatMap(({ cookies }) => cookies.map(({ name }) => name)),
    );
    const before = await dashboardStatus(target, visitor);

    const { browser, code } = await site.answered();
    const answers = await dashboard.enter(browser, code.sid);
    const set = answers.flatMap(({ cookies }) => cookies.filter(canBeSession));
    const sessionCookies = new Set(set.map(({ name }) => name).filter((name) => !setByVisits.has(name)));
    const dashboardTells = before !== 200 && (await dashboardStatus(target, browser)) === 200;
    if (sessionCookies.size === 0 && !dashboardTells) {
      throw new NotSignedIn(`The browser that started a login is not signed in here by ${target.dashboard}.`);
    }
    const all = (await hasNextAuth(site)) ? ([dashboard, nextAuth(target)] as const) : ([dashboard] as const);
    return new Entrances(target, all, sessionCookies, dashboardTells);
  }

  /** Whether a browser is signed in, by what the site shows it. */
  async isSignedIn(browser: Browser): Promise<boolean> {
    if (this.#dashboardTells) return (await dashboardStatus(this.#target, browser)) === 200;
    return [...this.sessionCookies].some((name) => browser.cookies.has(name));
  }

  /** The cookies that sign a browser in, of answers on the way. */
  sessionCookiesOf(answers: readonly Answer[]): Cookie[] {
    return answers.flatMap(({ cookies }) =>
      cookies.filter((cookie) => this.sessionCookies.has(cookie.name) && !isRemoval(cookie)),
    );
  }
}

/** Follows `/dashboard?sid=` by plain redirects, within the site. */
async function followDashboard(
  { dashboard, origin }: FastTarget,
  browser: Browser,
  sid: string,
  query: Record<string, string> = {},
): Promise<Answer[]> {
  let path = `${dashboard}?${new URLSearchParams({ sid, ...query })}`;
  const answers: Answer[] = [];
  while (answers.length < REDIRECTS_AT_MOST) {
    const answer = await browser.send({ path, headers: HTML });
    answers.push(answer);
    const next = redirectOf(answer, new URL(path, origin));
    if (next?.origin !== origin.origin) break;
    path = next.pathname + next.search;
  }
  return answers;
}

/** Where an answer leads by a plain redirect; null where it is the end. */
export function redirectOf({ status, headers }: Answer, from: URL): URL | null {
  if (status < 300 || status >= 400 || headers.location === undefined) return null;
  return URL.canParse(headers.location, from) ? new URL(headers.location, from) : null;
}

/** NextAuth's `signIn("fast", { sid })`. */
function nextAuth({ signIn }: FastTarget): Entrance {
  return { name: signIn, enter: async (browser, sid, query) => [(await browser.signIn(sid, query)).answer] };
}

async function hasNextAuth({ http, target }: Visited): Promise<boolean> {
  const { status, json } = await http.send({ path: `${target.signIn.split("/callback/")[0]}/providers` });
  const provider = target.signIn.split("/").at(-1) ?? "";
  return status === 200 && typeof json === "object" && json !== null && Object.hasOwn(json, provider);
}

async function dashboardStatus({ dashboard }: FastTarget, browser: Browser): Promise<number> {
  return (await browser.send({ path: dashboard, headers: HTML })).status;
}
