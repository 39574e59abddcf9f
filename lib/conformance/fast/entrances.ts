import type { Browser } from "../browser.ts";
import { Blocked, fail } from "../check.ts";
import { type Cookie, isRemoval } from "../cookies.ts";
import type { Answer } from "../http-client.ts";
import type { FastRun, FastSite } from "./site.ts";

/** A way to be signed in by a login that a wallet has answered. */
export type Entrance = {
  name: string;
  /** @returns the answers on the way, the last one last */
  enter: (browser: Browser, sid: string, query?: Record<string, string>) => Promise<Answer[]>;
};

/** How a sign-in looks at this site. */
export type Entrances = {
  all: readonly Entrance[];
  /** Cookies that a sign-in sets and a visit does not. */
  sessionCookies: ReadonlySet<string>;
  /** Whether the dashboard itself shows who is signed in: it is shown to nobody else. */
  dashboardTells: boolean;
};

/** The site's own browser is not signed in, so nothing can be told about others. */
export class NotSignedIn extends Blocked {}

const REDIRECTS_AT_MOST = 6;
const HTML = { Accept: "text/html,*/*" };

/** Follows `/dashboard?sid=` by plain redirects, within the site. */
async function followDashboard(
  site: FastSite,
  browser: Browser,
  sid: string,
  query: Record<string, string> = {},
): Promise<Answer[]> {
  const { dashboard, origin } = site.target;
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

const found = new WeakMap<FastRun, Promise<Entrances>>();

/**
 * How a sign-in looks at this site, found out once in a run.
 * @throws {Blocked} where the browser that started a login is not signed in
 */
export function entrancesOf(site: FastSite): Promise<Entrances> {
  const { run } = site;
  const entrances = found.get(run) ?? findEntrances(site);
  found.set(run, entrances);
  return entrances.catch((error) => {
    found.delete(run);
    throw error;
  });
}

async function findEntrances(site: FastSite): Promise<Entrances> {
  const dashboard: Entrance = {
    name: site.target.dashboard,
    enter: (browser, sid, query) => followDashboard(site, browser, sid, query),
  };
  // What a visit sets that signs nobody in is no session.
  const visitor = site.browser();
  const { answer } = await site.issue(visitor);
  const visits = await dashboard.enter(visitor, `${"A".repeat(32)}_1700000000`);
  const setByVisits = new Set([answer, ...visits].flatMap(({ cookies }) => cookies.map(({ name }) => name)));
  const before = await dashboardStatus(site, visitor);

  const { browser, code } = await site.answered();
  const answers = await dashboard.enter(browser, code.sid);
  const set = answers.flatMap(({ cookies }) => cookies.filter((cookie) => !isRemoval(cookie)));
  const sessionCookies = new Set(set.map(({ name }) => name).filter((name) => !setByVisits.has(name)));
  const dashboardTells = before !== 200 && (await dashboardStatus(site, browser)) === 200;
  if (sessionCookies.size === 0 && !dashboardTells) {
    throw new NotSignedIn(
      `The browser that started a login is not signed in here by ${site.target.dashboard}.`,
    );
  }
  const all = (await hasNextAuth(site)) ? [dashboard, nextAuth(site)] : [dashboard];
  return { all, sessionCookies, dashboardTells };
}

/** NextAuth's `signIn("fast", { sid })`. */
function nextAuth(site: FastSite): Entrance {
  return {
    name: site.target.signIn,
    enter: async (browser, sid, query) => [(await browser.signIn(sid, query)).answer],
  };
}

async function hasNextAuth({ http, target }: FastSite): Promise<boolean> {
  const { status, json } = await http.send({ path: `${target.signIn.split("/callback/")[0]}/providers` });
  const provider = target.signIn.split("/").at(-1) ?? "";
  return status === 200 && typeof json === "object" && json !== null && Object.hasOwn(json, provider);
}

async function dashboardStatus({ target }: FastSite, browser: Browser): Promise<number> {
  return (await browser.send({ path: target.dashboard, headers: HTML })).status;
}

/** Whether a browser is signed in, by what the site shows it. */
export async function isSignedIn(site: FastSite, browser: Browser): Promise<boolean> {
  const { sessionCookies, dashboardTells } = await entrancesOf(site);
  if (dashboardTells) return (await dashboardStatus(site, browser)) === 200;
  return [...sessionCookies].some((name) => browser.cookies.has(name));
}

/** The cookies that sign a browser in, of answers on the way. */
export async function sessionCookiesOf(site: FastSite, answers: readonly Answer[]): Promise<Cookie[]> {
  const { sessionCookies } = await entrancesOf(site);
  return answers.flatMap(({ cookies }) =>
    cookies.filter((cookie) => sessionCookies.has(cookie.name) && !isRemoval(cookie)),
  );
}

/** @throws {Failure} where a login signs this browser in, by any entrance */
export async function expectRefused(
  site: FastSite,
  browser: Browser,
  sid: string,
  who: string,
): Promise<void> {
  for (const { name, enter } of (await entrancesOf(site)).all) {
    await enter(browser, sid);
    if (await isSignedIn(site, browser)) fail(`${who} is signed in by ${name}.`);
  }
}

/** Who is signed in, as far as the site tells: NextAuth's user, or the addresses that the dashboard names. */
export async function identityOf(
  site: FastSite,
  browser: Browser,
  addresses: readonly string[],
): Promise<string | null> {
  const user = await browser.user();
  if (user !== undefined && user !== null && user !== true) return `user ${user}`;
  const { text } = await browser.send({ path: site.target.dashboard, headers: HTML });
  const named = addresses.filter((address) => text.includes(address));
  return named.length > 0 ? named.join(" and ") : null;
}
