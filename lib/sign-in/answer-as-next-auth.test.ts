import fc from "fast-check";
import type { NextApiRequest, NextApiResponse } from "next";
import { decode } from "next-auth/jwt";
import { describe, expect, it, vi } from "vitest";
import { authOptions } from "#lib/login/server/auth-options.ts";
import { hostCookie } from "#lib/login/server/cookies.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { SITE_LOGINS } from "#lib/login/server/redeem-login.ts";
import { answerAsNextAuth } from "./answer-as-next-auth.ts";
import { AuthResponse } from "./auth-response.ts";
import { nextAuth } from "./next-auth.ts";
import { readAuthRequest } from "./read-auth-request.ts";

const SECRET = "a secret of this test";
const CLAIMS = { userId: 7, browserSessionId: "3f0c7a52-9d4e-4f0b-8a71-5c2d1e0f9b66" };
/** What the provider finds: a login of this browser, none, or one whose key was added elsewhere. */
const USERS = {
  signedIn: { id: "7", ...CLAIMS },
  nobody: null,
  stopped: { id: "a-sid", stopsAt: "/login/added?sid=a-sid" },
};

function coreAt(origin: string): LoginCore {
  return {
    origin: new URL(origin),
    qrFormat: "svc",
    secrets: [SECRET],
    afterLogin: "/dashboard",
    database: { run: () => Promise.reject(new Error("No statement is expected.")) },
    now: () => new Date(),
    onStep: () => {},
    subscribe: () => () => {},
  };
}

function optionsOf(core: LoginCore, user: (typeof USERS)[keyof typeof USERS]) {
  const options = authOptions(core, {
    flows: { svc: SITE_LOGINS },
    userIdOf: async ({ userId }) => userId,
    onFailure: () => {},
    onSignOut: async () => {},
    log: () => {},
  });
  const providers = options.providers.map((provider) => ({ ...provider, authorize: async () => user }));
  return { ...options, providers } as typeof options;
}

type Asked = {
  origin: string;
  action: "csrf" | "callback";
  query: string;
  cookies: Record<string, string>;
  form: Record<string, string>;
  user: keyof typeof USERS;
};

function requestOf({ origin, action, query, cookies, form }: Asked): Request {
  const secure = origin.startsWith("https:");
  const cookie = Object.entries(cookies).map(([name, value]) => {
    const full = name === "csrf" ? hostCookie("next-auth.csrf-token", secure).name : name;
    const kept = name === "callback" ? hostCookie("next-auth.callback-url", secure).name : full;
    return `${kept}=${encodeURIComponent(value)}`;
  });
  const url = `${origin}/api/auth/${action}${query}`;
  const headers = { host: new URL(origin).host, cookie: cookie.join("; ") };
  if (action === "csrf") return new Request(url, { headers });
  return new Request(url, { method: "POST", headers, body: new URLSearchParams(form) });
}

async function ask(asked: Asked, answer: (...call: Parameters<typeof answerAsNextAuth>) => Promise<unknown>) {
  const core = coreAt(asked.origin);
  const path = asked.action === "csrf" ? ["csrf"] : ["callback", "svc"];
  const response = new AuthResponse();
  const read = await readAuthRequest(core, requestOf(asked), path);
  const answered = await answer(core, optionsOf(core, USERS[asked.user]), read, path, response);
  return { answered, ...(await describeAnswer(response.toWebResponse())) };
}

const byUs = (asked: Asked) => ask(asked, answerAsNextAuth);
const byNextAuth = (asked: Asked) =>
  ask(asked, (_core, options, read, _path, response) =>
    nextAuth(read as unknown as NextApiRequest, response as unknown as NextApiResponse, options),
  );

/** An answer without what differs from one to the next: random tokens, and the second it was made in. */
async function describeAnswer(response: Response) {
  const cookies = await Promise.all(response.headers.getSetCookie().map(describeCookie));
  const body = await response.json().catch(() => null);
  const isNew = cookies.some(({ name }) => name.endsWith("csrf-token"));
  if (isNew && body?.csrfToken) body.csrfToken = body.csrfToken.length;
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    caching: response.headers.get("cache-control"),
    body,
    cookies: cookies.sort((one, other) => one.name.localeCompare(other.name)),
  };
}

async function describeCookie(header: string) {
  const [pair = "", ...attributes] = header.split("; ");
  const [name = "", text = ""] = pair.split("=");
  const value = decodeURIComponent(text);
  const lasting = attributes.find((attribute) => /^(Max-Age|Expires)=/.test(attribute));
  const [kind, end = ""] = (lasting ?? "").split("=");
  const seconds = kind === "Max-Age" ? Number(end) : (Date.parse(end) - Date.now()) / 1000;
  return {
    name,
    value: await describeValue(name, value),
    attributes: attributes.filter((attribute) => attribute !== lasting).sort(),
    hours: lasting ? Math.round(seconds / 3600) : null,
  };
}

async function describeValue(name: string, value: string) {
  if (name.endsWith("csrf-token")) return /^[0-9a-f]{64}\|[0-9a-f]{64}$/.test(value);
  if (!name.endsWith("session-token")) return value;
  const { iat = 0, exp = 0, jti, ...claims } = (await decode({ token: value, secret: SECRET })) ?? {};
  return { ...claims, lasts: Number(exp) - Number(iat), hasId: typeof jti === "string" };
}

async function madeToken(): Promise<{ cookie: string; token: string }> {
  const core = coreAt("http://localhost:3000");
  const response = new AuthResponse();
  const read = await readAuthRequest(core, new Request("http://localhost:3000/api/auth/csrf"), ["csrf"]);
  await nextAuth(
    { ...read, headers: { host: "localhost:3000" } } as unknown as NextApiRequest,
    response as unknown as NextApiResponse,
    optionsOf(core, null),
  );
  const [header = ""] = response.toWebResponse().headers.getSetCookie();
  const cookie = decodeURIComponent(/csrf-token=([^;]+)/.exec(header)?.[1] ?? "");
  return { cookie, token: cookie.slice(0, 64) };
}

const ORIGINS = ["http://localhost:3000", "https://site.example"];
const PLACES = [undefined, "", "/dashboard?tab=1", "//elsewhere.example", "https://elsewhere.example/x"];

describe("requests of a login are answered as NextAuth answers them", () => {
  it("whatever cookies, callback URLs and logins they come with", async () => {
    const { cookie, token } = await madeToken();
    const asked = fc.record({
      origin: fc.constantFrom(...ORIGINS),
      action: fc.constantFrom("csrf" as const, "callback" as const),
      user: fc.constantFrom("signedIn" as const, "nobody" as const, "stopped" as const),
      csrf: fc.constantFrom(undefined, cookie, `${cookie}0`, `${token}|`, token),
      kept: fc.constantFrom(...PLACES, "http://localhost:3000", "https://site.example/a"),
      inQuery: fc.constantFrom(...PLACES, "http://localhost:3000/b"),
      inForm: fc.constantFrom(...PLACES, "https://site.example/c"),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ origin, action, user, csrf, kept, inQuery, inForm }) => {
        vi.stubEnv("NEXTAUTH_URL", origin);
        const cookies = {
          ...(csrf !== undefined && { csrf }),
          ...(kept !== undefined && { callback: kept }),
        };
        const call: Asked = {
          ...{ origin, action, user, cookies },
          query: inQuery === undefined ? "" : `?${new URLSearchParams({ callbackUrl: inQuery })}`,
          form: {
            ...{ csrfToken: token, sid: "a-sid", json: "true" },
            ...(inForm !== undefined && { callbackUrl: inForm }),
          },
        };
        const { answered, ...ours } = await byUs(call);
        expect(answered).toBe(action === "csrf" || csrf === cookie);
        if (!answered) return;
        const { answered: _, ...theirs } = await byNextAuth(call);
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 300 },
    );
  });

  it("but another token than the cookie's, and what no login page sends, is left to NextAuth", async () => {
    const { cookie, token } = await madeToken();
    const form = { csrfToken: token, sid: "a-sid", json: "true" };
    const usual: Asked = {
      origin: ORIGINS[0] ?? "",
      action: "callback",
      query: "",
      cookies: { csrf: cookie },
      form,
      user: "signedIn",
    };
    expect((await byUs(usual)).answered).toBe(true);
    for (const changed of [{ csrfToken: "0".repeat(64) }, { csrfToken: "" }, { json: "false" }]) {
      const { answered, cookies } = await byUs({ ...usual, form: { ...form, ...changed } });
      expect([answered, cookies]).toEqual([false, []]);
    }
  });
});
