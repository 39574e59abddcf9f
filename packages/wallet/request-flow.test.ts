import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createChallengeText, FAST_URL, formatSvcPayload, NOW } from "./payload.fixture.ts";
import type { SiteRecords } from "./request.ts";
import { RequestFlow } from "./request-flow.ts";
import { createTrialWallet } from "./trial-wallet.ts";

/** Keyed by the beginning of `METHOD url`. */
let replies: Record<string, () => Response | Promise<Response>>;
let requested: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000 });
  [replies, requested] = [{}, []];
  vi.stubGlobal("fetch", async (url: URL | string, init?: RequestInit) => {
    const request = `${init?.method ?? "GET"} ${url}`;
    requested.push(request);
    const reply = Object.entries(replies).find(([start]) => request.startsWith(start));
    if (!reply) throw new TypeError("fetch failed");
    return reply[1]();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const accepts = () => Response.json({ status: "authenticated" });
const API_CODE = formatSvcPayload({ webhook: "https://api.example.net/webhook/sessions/1" });
const FILE = "GET https://example.com/.well-known/svc-login";
const names = (host: string) => () => Response.json({ domain: "example.com", webhook_hosts: [host] });
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

function memory(): SiteRecords & { remembered: string[] } {
  const remembered: string[] = [];
  return {
    remembered,
    trustedHosts: async () => [],
    findDelegation: async () => null,
    saveDelegation: async () => {},
    findSilentSince: async () => null,
    saveSilentSince: async () => {},
    rememberSite: async ({ domain }, { fingerprint }) => void remembered.push(`${domain} ${fingerprint}`),
  };
}

function watched(flow: RequestFlow): string[] {
  const phases: string[] = [];
  flow.subscribe(() => {
    const phase = flow.state().request?.phase ?? "none";
    if (phases.at(-1) !== phase) phases.push(phase);
  });
  return phases;
}

describe("a code", () => {
  test("is shown with the requesting browser, confirmed and answered", async () => {
    replies["GET https://example.com/"] = () =>
      Response.json({
        ...{ domain: "example.com", action: "login", intent: null, network: "same" },
        ...{ asked_at: iso(NOW), expires_at: iso(NOW + 30), browser: { name: "Firefox on Linux" } },
      });
    replies["POST https://example.com/"] = accepts;
    const siteRecords = memory();
    const flow = new RequestFlow({ siteRecords });
    const phases = watched(flow);
    await flow.open(formatSvcPayload());
    expect(flow.state()).toMatchObject({
      request: { phase: "asking" },
      asking: { name: "Firefox on Linux", network: "same" },
    });
    const answer = await flow.approve(createTrialWallet().unlock);
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(phases).toEqual(["asking", "confirming", "sending", "answered"]);
    expect(siteRecords.remembered).toEqual([`example.com ${answer?.key.fingerprint}`]);
    expect(flow.state().request).toMatchObject({ keyName: answer?.key.fingerprint });
  });

  test("is not signed unless the wallet is asking the user to approve it", async () => {
    const flow = new RequestFlow();
    const unlock = vi.fn(createTrialWallet().unlock);
    expect(await flow.approve(unlock)).toBeUndefined();
    await flow.open("https://example.com/");
    expect(flow.state().request).toMatchObject({ phase: "refused", payload: null });
    await flow.open(formatSvcPayload());
    flow.decline();
    expect(await flow.approve(unlock)).toBeUndefined();
    expect(unlock).not.toHaveBeenCalled();
    expect(requested.filter((request) => request.startsWith("POST"))).toEqual([]);
    flow.close();
    expect(flow.state()).toEqual({ request: null, asking: null });
  });

  test("can still be approved if unlocking the wallet fails", async () => {
    const flow = new RequestFlow();
    await flow.open(formatSvcPayload());
    expect(await flow.approve(() => null)).toBeNull();
    expect(flow.state().request).toEqual(expect.not.objectContaining({ problem: expect.anything() }));
    const wrong = () => Promise.reject(new Error("wrong passphrase"));
    expect(await flow.approve(wrong, {}, () => "That is not the passphrase.")).toBeUndefined();
    expect(flow.state().request).toMatchObject({ phase: "asking", problem: "That is not the passphrase." });
    const forgottenWallet = createTrialWallet();
    forgottenWallet.forget();
    await flow.approve(forgottenWallet.unlock);
    expect(flow.state().request).toMatchObject({ phase: "refused", error: { code: "wallet_gone" } });
  });

  test("is refused once it has expired, according to the site or the clock", async () => {
    replies["GET https://example.com/"] = () => new Response(null, { status: 408 });
    const flow = new RequestFlow();
    await flow.open(formatSvcPayload());
    expect(flow.state().request).toMatchObject({ ranOut: true, error: { code: "challenge_expired" } });
    await flow.open(FAST_URL);
    expect(flow.state()).toMatchObject({ request: { phase: "asking" }, asking: null });
    vi.setSystemTime((NOW + 120) * 1000);
    flow.expire();
    expect(flow.state().request).toMatchObject({ phase: "refused", ranOut: true });
  });

  test("is replaced by the next code of the same login, but not by a code of another login", async () => {
    const flow = new RequestFlow();
    await flow.open(formatSvcPayload());
    const next = formatSvcPayload({
      challenge: createChallengeText("login", "example.com", NOW + 20),
      ts: String(NOW + 20),
    });
    expect(await flow.renew(formatSvcPayload({ session: "another" }))).toBe(false);
    expect(await flow.renew("nothing")).toBe(false);
    expect(await flow.renew(next)).toBe(true);
    expect(flow.state().request).toMatchObject({ phase: "asking", payload: { issuedAt: NOW + 20 } });
  });
});

describe("a code whose answer goes to another host", () => {
  test("is held until the user continues, and is shown once the site has named the host", async () => {
    replies[FILE] = names("api.example.net");
    const flow = new RequestFlow({ siteRecords: memory() });
    const phases = watched(flow);
    await flow.open(API_CODE);
    expect(requested).toEqual([]);
    await flow.checkReceiver();
    expect(phases).toEqual(["elsewhere", "looking", "asking"]);
  });

  test("is refused if the site names a different host", async () => {
    replies[FILE] = names("other.example.net");
    const flow = new RequestFlow({ siteRecords: memory() });
    await flow.open(API_CODE);
    await flow.checkReceiver();
    expect(flow.state().request).toMatchObject({ phase: "refused", trust: { host: "api.example.net" } });
    const trial = new RequestFlow();
    await trial.open(API_CODE);
    await trial.checkReceiver();
    expect(trial.state().request).toMatchObject({ phase: "refused" });
    const trusting = new RequestFlow({ trustedHosts: ["api.example.net"] });
    await trusting.open(API_CODE);
    expect(trusting.state().request).toMatchObject({ phase: "asking" });
  });

  test("is refused if it expires while the site is being asked", async () => {
    replies[FILE] = () => {
      vi.setSystemTime((NOW + 31) * 1000);
      return names("api.example.net")();
    };
    const flow = new RequestFlow({ siteRecords: memory() });
    await flow.open(API_CODE);
    await flow.checkReceiver();
    expect(flow.state().request).toMatchObject({ phase: "refused", ranOut: true });
    expect(requested).toEqual([FILE]);
  });
});
