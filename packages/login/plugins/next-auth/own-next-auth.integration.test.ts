import type { NextAuthOptions } from "next-auth";
import { decode, encode } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { pgDatabase } from "../../database/database.ts";
import { CLIENT_ADDRESS_HEADER, formatClientStamp } from "../../http/client-address.ts";
import { createLogin } from "../../index.ts";
import { migrate } from "../../site/migrate.ts";
import {
  answerNewLogin,
  formatCookieHeader,
  newClientHeaders,
  ORIGIN,
  SITE_SETTINGS,
  startSite,
} from "../../site/tests/site.fixture.ts";
import { runNextAuth } from "./auth-exchange.ts";

const onFailure = vi.fn();
let isAway = false;
const away = () =>
  Promise.reject(Object.assign(new Error("connect ECONNREFUSED 10.0.0.5"), { code: "ECONNREFUSED" }));

const site = startSite((databaseUrl) =>
  createLogin(async () => {
    await migrate(databaseUrl);
    const options = "-c search_path=svc_login -c timezone=UTC";
    const client = new pg.Client({ connectionString: databaseUrl, options });
    await client.connect();
    const real = pgDatabase(client);
    return {
      ...SITE_SETTINGS,
      database: { run: (statement, values) => (isAway ? away() : real.run(statement, values)) },
      findOrCreateUser: async ({ userId }) => `wallet-${userId}`,
      onFailure,
      onStopped: () => client.end(),
    };
  }),
);

const siteOptions = {
  secret: SITE_SETTINGS.secrets[0],
  providers: [
    CredentialsProvider({
      credentials: { password: { type: "password" } },
      authorize: async (fields) => (fields?.password === "correct" ? { id: "1" } : null),
    }),
  ],
  callbacks: {
    // Some sites store only a few fields in their tokens.
    jwt: ({ token, user }) => ({ sub: user?.id ?? token.sub, seenByTheSite: true }),
    session: ({ session, token }) => ({
      ...session,
      user: { id: token.sub, seen: token.seenByTheSite } as object,
    }),
  },
  events: { signOut: vi.fn() },
  logger: { error() {}, warn() {}, debug() {} },
} satisfies NextAuthOptions;

let options: NextAuthOptions;
/** The login's parts are added one by one instead of by `options()`. */
let byHand: NextAuthOptions;
beforeAll(() => {
  const { nextAuth } = site().login;
  options = nextAuth.options(siteOptions);
  byHand = {
    ...siteOptions,
    session: { strategy: "jwt" },
    providers: [...siteOptions.providers, nextAuth.provider],
    callbacks: { ...siteOptions.callbacks, jwt: ({ token, user }) => nextAuth.jwt({ token, user }) },
    events: { signOut: (message) => nextAuth.signOut(message) },
  };
});
/** NextAuth's own route handler would need the Next.js framework. */
async function nextAuth(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.split("/api/auth/")[1]?.split("/") ?? [];
  const pairs = (request.headers.get("cookie") ?? "").split("; ").map((pair) => pair.split(/=(.*)/s));
  return (await runNextAuth(options, SITE_SETTINGS.origin, request, path, Object.fromEntries(pairs))).answer;
}

async function withOptions(others: NextAuthOptions, act: () => Promise<void>): Promise<void> {
  const before = options;
  options = others;
  try {
    await act();
  } finally {
    options = before;
  }
}

function ask(
  path: string,
  init: RequestInit & { cookie?: string; address?: string } = {},
): Promise<Response> {
  const { cookie = "", address = "203.0.113.1", ...rest } = init;
  const headers = { cookie, [CLIENT_ADDRESS_HEADER]: formatClientStamp(address) };
  return site().login.nextAuth.guard(nextAuth)(
    new Request(`${ORIGIN}/api/auth/${path}`, { ...rest, headers }),
    null,
  );
}

async function post(path: string, cookie: string, fields: Record<string, string>, address?: string) {
  const csrf = await ask("csrf");
  const { csrfToken } = await csrf.json();
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  return ask(path, {
    method: "POST",
    body,
    cookie: `${cookie}; ${formatCookieHeader(csrf)}`,
    ...(address && { address }),
  });
}

async function userOf(cookie: string): Promise<unknown> {
  return (await (await ask("session", { cookie })).json()).user?.id;
}

test("signs in a wallet's user on a site that also has its own provider", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const wallet = await post("callback/svc", cookie, { sid });
  expect(wallet.status).toBe(200);
  expect(await userOf(formatCookieHeader(wallet))).toMatch(/^wallet-\d+$/);
  const password = await post("callback/credentials", "", { password: "correct" });
  expect(await userOf(formatCookieHeader(password))).toBe("1");
  expect((await post("callback/credentials", "", { password: "wrong" })).status).toBe(401);
});

test("replaces the login's own user id in an old token with the site's user id", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const name = "__Secure-next-auth.session-token";
  const secret = SITE_SETTINGS.secrets[0];
  const responseCookies = formatCookieHeader(await post("callback/svc", cookie, { sid }));
  const token = await decode({ secret, token: /session-token=([^;]+)/.exec(responseCookies)?.[1] ?? "" });
  const userId = String(token?.sub);
  const before = await encode({ secret, token: { ...token, sub: userId.replace("wallet-", "") } });
  expect(await userOf(`${name}=${before}`)).toBe(userId);
});

test("also runs the site's own NextAuth callbacks and events", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const wallet = formatCookieHeader(await post("callback/svc", cookie, { sid }));
  const session = await (await ask("session", { cookie: wallet })).json();
  expect(session.user).toEqual({ id: expect.stringMatching(/^wallet-/), seen: true });
  siteOptions.events.signOut.mockClear();
  await post("signout", wallet, {});
  expect(siteOptions.events.signOut).toHaveBeenCalledOnce();
});

test("accepts NextAuth options that the site assembles itself", () =>
  withOptions(byHand, async () => {
    const { sid, cookie } = await answerNewLogin(site().login);
    const wallet = formatCookieHeader(await post("callback/svc", cookie, { sid }));
    expect(await userOf(wallet)).toMatch(/^wallet-\d+$/);
    await post("signout", wallet, {});
    expect(await userOf(wallet)).toBeUndefined();
    expect(site().login.nextAuth.options(byHand).providers).toEqual(byHand.providers);
  }));

test("refuses a wallet's sign-in without the guard, and logs what to export", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const csrf = await ask("csrf");
  const { csrfToken } = await csrf.json();
  const unguarded = await nextAuth(
    new Request(`${ORIGIN}/api/auth/callback/svc`, {
      method: "POST",
      headers: { cookie: `${cookie}; ${formatCookieHeader(csrf)}` },
      body: new URLSearchParams({ csrfToken, sid, json: "true" }),
    }),
  );
  expect(unguarded.status).toBe(401);
  const message = expect.stringContaining("login.nextAuth.guard(NextAuth(authOptions))");
  expect(onFailure).toHaveBeenCalledWith("wallets cannot sign in", expect.objectContaining({ message }));
  expect((await post("callback/svc", cookie, { sid })).status).toBe(200);
});

test("refuses a wallet's sign-in if other callbacks replace those of `options`", () =>
  withOptions({ ...options, callbacks: siteOptions.callbacks }, async () => {
    const { sid, cookie } = await answerNewLogin(site().login);
    const answer = await post("callback/svc", cookie, { sid });
    expect(answer.status).toBe(500);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const message = expect.stringContaining("Pass your callbacks to login.nextAuth.options");
    expect(onFailure.mock.lastCall?.[1]).toMatchObject({ message });
    expect((await post("callback/credentials", "", { password: "correct" })).status).toBe(200);
  }));

test("signs out only the browser whose session was ended on the server", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const wallet = formatCookieHeader(await post("callback/svc", cookie, { sid }));
  const password = formatCookieHeader(await post("callback/credentials", "", { password: "correct" }));
  await site().client.query("DELETE FROM browser_session");
  expect(await userOf(wallet)).toBeUndefined();
  expect(await userOf(password)).toBe("1");
});

test("rejects a copied token once its browser has signed out", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const copied = formatCookieHeader(await post("callback/svc", cookie, { sid }));
  const next = await site().login.routes.GET(
    new Request(`${ORIGIN}/api/svc/qr?mode=register`, { headers: { cookie, ...newClientHeaders() } }),
  );
  const inProgress = await next.json();
  const out = await post("signout", `${copied}; ${cookie}`, {});
  expect(out.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^__Host-svc-browser=; .*Max-Age=0/),
  );
  expect(await userOf(copied)).toBeUndefined();
  const check = await site().login.routes.GET(
    new Request(`${ORIGIN}/api/svc/check?sid=${inProgress.sid}`, { headers: newClientHeaders() }),
  );
  expect(check.status).toBe(404);
});

test("limits failed sign-ins to 60 a minute without refusing valid ones", async () => {
  const address = "203.0.113.60";
  expect((await post("callback/svc", "", { sid: "nothing" }, address)).headers.get("RateLimit-Limit")).toBe(
    "60",
  );
  await site().client.query("UPDATE rate_limit SET points = 60 WHERE key LIKE 'failed-sign-in:203.0.113.60'");
  const limited = await post("callback/svc", "", { sid: "nothing" }, address);
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
  const { sid, cookie } = await answerNewLogin(site().login);
  expect((await post("callback/svc", cookie, { sid }, address)).status).toBe(200);
  // The site itself must limit its own provider.
  expect((await post("callback/credentials", "", { password: "wrong" }, address)).status).toBe(401);
});

test("returns 503 without the cause while the database is unreachable", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const session = formatCookieHeader(await post("callback/svc", cookie, { sid }));
  isAway = true;
  try {
    for (const answer of [
      await ask("session", { cookie: session }),
      await post("callback/svc", cookie, { sid }),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await answer.text()).not.toContain("ECONNREFUSED");
    }
  } finally {
    isAway = false;
  }
  expect(await userOf(session)).toMatch(/^wallet-\d+$/);
});

test("hides the cause of a failure even without `options` and the guard", () =>
  withOptions(byHand, async () => {
    const { sid, cookie } = await answerNewLogin(site().login);
    const csrf = await ask("csrf");
    const { csrfToken } = await csrf.json();
    isAway = true;
    try {
      const answer = await nextAuth(
        new Request(`${ORIGIN}/api/auth/callback/svc`, {
          method: "POST",
          headers: { cookie: `${cookie}; ${formatCookieHeader(csrf)}`, ...newClientHeaders() },
          body: new URLSearchParams({ csrfToken, sid, json: "true" }),
        }),
      );
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain("10.0.0.5");
    } finally {
      isAway = false;
    }
  }));
