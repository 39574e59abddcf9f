import { type Browser, HTML } from "../browser.ts";
import { Blocked } from "../check.ts";
import { type Cookie, canBeSession, isRemoval } from "../cookies.ts";
import type { LoginSite } from "../flow/flow.ts";
import type { Answer } from "../http-client.ts";

/** The default paths of a site with fast login. */
export const FAST_PATHS = {
  qr: "/api/getqrcode",
  check: "/api/checkfast",
  /** The webhook path in codes, to which wallets post. */
  webhook: "/api/fastauth",
  /** Where `?sid=` signs in by plain redirects. */
  dashboard: "/dashboard",
  /** NextAuth's callback, which a site may also have. */
  signIn: "/api/auth/callback/fast",
};

export type FastTarget = typeof FAST_PATHS & { origin: URL };

/** A path that signs a browser in with an answered login. */
export type SignInRedirect = {
  name: string;
  /** @returns all answers, in order */
  enter: (browser: Browser, sid: string, query?: Record<string, string>) => Promise<Answer[]>;
};

export type Entrances = {
  /** The dashboard, and NextAuth's callback if the site has it. */
  all: readonly [SignInRedirect, ...SignInRedirect[]];
  /** Cookies that a sign-in sets and a visit does not. */
  sessionCookies: ReadonlySet<string>;
  /** Whether a browser is signed in, according to what the site shows it. */
  isSignedIn(browser: Browser): Promise<boolean>;
};

/** The browser that started a login is not signed in, so other browsers cannot be checked. */
export class NotSignedIn extends Blocked {}

/** Signs in once, and checks the result. @throws {Blocked} if the browser that started a login is not signed in */
export async function findEntrances(site: LoginSite<FastTarget>): Promise<Entrances> {
  const { target } = site;
  const byDashboard: SignInRedirect = {
    name: target.dashboard,
    enter: (browser, sid, query) =>
      browser.follow(`${target.dashboard}?${new URLSearchParams({ sid, ...query })}`),
  };
  /** NextAuth's `signIn("fast", { sid })`. */
  const byNextAuth: SignInRedirect = {
    name: target.signIn,
    enter: async (browser, sid, query) => [(await browser.signIn(sid, query)).answer],
  };
  const showsDashboard = async (browser: Browser) =>
    (await browser.send({ path: target.dashboard, headers: HTML })).status === 200;

  // Cookies that a visit sets without a sign-in are not session cookies.
  const { browser: visitor, answer } = await site.issue();
  const visits = await byDashboard.enter(visitor, `${"A".repeat(32)}_1700000000`);
  const setByVisits = [answer, ...visits].flatMap(({ cookies }) => cookies.map(({ name }) => name));
  const isShownToAll = await showsDashboard(visitor);

  const { browser, code } = await site.answered();
  const answers = await byDashboard.enter(browser, code.sid);
  const set = answers.flatMap(({ cookies }) => cookies.filter(canBeSession));
  const sessionCookies = new Set(set.map(({ name }) => name).filter((name) => !setByVisits.includes(name)));
  // The dashboard proves a sign-in only if it is not shown to everyone.
  const dashboardTells = !isShownToAll && (await showsDashboard(browser));
  if (sessionCookies.size === 0 && !dashboardTells)
    throw new NotSignedIn(`The browser that started a login is not signed in here by ${target.dashboard}.`);
  return {
    all: (await hasNextAuth(site)) ? [byDashboard, byNextAuth] : [byDashboard],
    sessionCookies,
    isSignedIn: async (visiting) =>
      dashboardTells
        ? showsDashboard(visiting)
        : [...sessionCookies].some((name) => visiting.cookies.has(name)),
  };
}

export function sessionCookiesIn({ sessionCookies }: Entrances, answers: readonly Answer[]): Cookie[] {
  return answers.flatMap(({ cookies }) =>
    cookies.filter((cookie) => sessionCookies.has(cookie.name) && !isRemoval(cookie)),
  );
}

async function hasNextAuth({ http, target }: LoginSite<FastTarget>): Promise<boolean> {
  const { status, json } = await http.send({ path: `${target.signIn.split("/callback/")[0]}/providers` });
  const provider = target.signIn.split("/").at(-1) ?? "";
  return status === 200 && typeof json === "object" && json !== null && Object.hasOwn(json, provider);
}
