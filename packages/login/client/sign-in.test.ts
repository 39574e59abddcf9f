import { beforeEach, describe, expect, it, vi } from "vitest";

type SentForm = { path: string; form: Record<string, string> | null };

const requests: SentForm[] = [];
let answers: Response[] = [];

beforeEach(() => {
  vi.resetModules();
  requests.length = 0;
  vi.stubGlobal("window", { location: { href: "https://login.example/login" } });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const form = init.body instanceof URLSearchParams ? Object.fromEntries(init.body) : null;
    requests.push({ path, form });
    if (path === "/api/auth/csrf") return Response.json({ csrfToken: `token ${requests.length}` });
    return answers.shift() ?? Response.error();
  });
});

const load = () => import("./sign-in.ts");
const done = () => Response.json({ url: "https://login.example/login" });
const tokenRefused = () => Response.json({ url: "https://login.example/api/auth/signin?csrf=true" });

describe("signing in", () => {
  it("needs only one request if the token has already been fetched", async () => {
    answers = [done()];
    const { prefetchCsrfToken, signIn } = await load();
    prefetchCsrfToken();
    expect(await signIn("svc", { sid: "S" })).toMatchObject({ ok: true, status: 200 });
    expect(requests.map(({ path }) => path)).toEqual(["/api/auth/csrf", "/api/auth/callback/svc"]);
    expect(requests[1]?.form).toMatchObject({ sid: "S", csrfToken: "token 1", json: "true" });
  });

  it("fetches a new token once if the current one is refused", async () => {
    answers = [tokenRefused(), done()];
    const { signIn } = await load();
    expect(await signIn("svc", { sid: "S" })).toMatchObject({ ok: true });
    expect(requests.filter(({ path }) => path === "/api/auth/csrf")).toHaveLength(2);
    expect(requests.at(-1)?.form?.csrfToken).toBe("token 3");
  });

  it("fails if every token is refused", async () => {
    answers = [tokenRefused(), tokenRefused()];
    const { signIn } = await load();
    expect(await signIn("svc", { sid: "S" })).toMatchObject({ ok: false, status: 403 });
  });

  it("returns NextAuth's error for another browser's login", async () => {
    const url = "https://login.example/login?error=CredentialsSignin";
    answers = [Response.json({ url }, { status: 401 })];
    const { signIn } = await load();
    expect(await signIn("svc", { sid: "S" })).toMatchObject({
      ok: false,
      status: 401,
    });
  });

  it("sends the same attempt id again on a retry", async () => {
    answers = [done(), done()];
    const first = await load();
    await first.signIn("svc", { sid: "S" });
    await first.signIn("svc", { sid: "S" });
    vi.resetModules();
    answers = [done()];
    await (await load()).signIn("svc", { sid: "S" });
    const attempts = requests.flatMap(({ form }) => form?.attempt ?? []);
    expect(attempts[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(attempts).toEqual([attempts[0], attempts[0], expect.not.stringContaining(attempts[0] ?? "")]);
  });

  it("sends one request to the login's own endpoint", async () => {
    vi.stubGlobal("navigator", { onLine: true });
    const requests: unknown[] = [];
    const replies = [
      Response.json({ redirect: "/dashboard" }),
      Response.json({ redirect: "/login/added?sid=S" }),
      Response.json({ error: { code: "session_not_found" } }, { status: 401 }),
      Response.json({ error: { code: "service_unavailable" } }, { status: 503 }),
    ];
    vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
      requests.push([path, init.method, JSON.parse(String(init.body))]);
      return replies.shift();
    });
    const { redeemLogin } = await load();
    const redeem = () => redeemLogin({ provider: "svc", direct: true }, "S");
    const outcomes = [await redeem(), await redeem(), await redeem(), await redeem()];
    expect(outcomes).toEqual(["signed-in", { stopsAt: "/login/added?sid=S" }, "refused", "unreachable"]);
    const body = { sid: "S", attempt: expect.stringMatching(/^[0-9a-f]{32}$/) };
    expect(requests).toEqual(Array(4).fill(["/api/svc/sign-in", "POST", body]));
    expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(1);
  });

  it("uses NextAuth if the site does not have the login's own endpoint", async () => {
    vi.stubGlobal("navigator", { onLine: true });
    answers = [new Response("Not found", { status: 404 }), done()];
    const { redeemLogin } = await load();
    expect(await redeemLogin({ provider: "svc", direct: true }, "S")).toBe("signed-in");
    expect(requests.map(({ path }) => path)).toEqual([
      "/api/svc/sign-in",
      "/api/auth/csrf",
      "/api/auth/callback/svc",
    ]);
  });

  it("throws if the server is unreachable", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    const { prefetchCsrfToken, signIn } = await load();
    prefetchCsrfToken();
    await expect(signIn("svc", { sid: "S" })).rejects.toThrow();
    await expect(signIn("svc", { sid: "S" })).rejects.toThrow("offline");
  });
});

describe("signing out", () => {
  it("succeeds if the server confirms it", async () => {
    answers = [done()];
    expect(await (await load()).signOut()).toBe(true);
  });

  it.each([
    ["the database is unreachable", [Response.json({ error: {} }, { status: 503 })]],
    ["no response", [Response.error()]],
    ["while the token is refused", [tokenRefused(), tokenRefused()]],
  ])("does not succeed without the server's confirmation: %s", async (_, siteAnswers) => {
    answers = siteAnswers;
    expect(await (await load()).signOut()).toBe(false);
  });
});
