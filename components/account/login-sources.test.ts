import { afterEach, describe, expect, test, vi } from "vitest";
import { parseRetryAfterSeconds } from "#packages/login/client/fetch-json.ts";
import {
  parseCheckOutcome,
  parseIssueOutcome,
  parseRefusalReason,
  siteSource,
} from "#packages/login/client/login-source.ts";
import { createFastLoginSource, parseFastCheckOutcome } from "#packages/login/plugins/fast/fast-source.ts";
import { ADD_KEY_SOURCES, APPROVAL_SOURCES } from "./login-sources.tsx";

afterEach(() => vi.unstubAllGlobals());

function answering(answer: () => Response | Promise<Response>) {
  const fetching = vi.fn<(url: string) => Promise<Response>>(async () => answer());
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

describe("the site login's endpoints", () => {
  test("send the mode with every code request, and the session with each renewal", async () => {
    const fetching = answering(() =>
      Response.json({ sid: "s 1", challenge: "c", qr: "svc://auth?x", expiresAt: 1 }),
    );
    const source = siteSource("register");
    expect(await source.issue(null)).toEqual({ kind: "issued", sid: "s 1", qr: "svc://auth?x" });
    await source.issue("s 1");
    expect(fetching.mock.calls.map(([url]) => url)).toEqual([
      "/api/svc/qr?mode=register",
      "/api/svc/qr?mode=register&sid=s+1",
    ]);
  });

  test.each([
    [401, { kind: "ended" }],
    [403, { kind: "forbidden" }],
    [404, { kind: "gone" }],
    [410, { kind: "gone" }],
    [429, { kind: "rate-limited", retryAfterSeconds: 7 }],
    [500, { kind: "broken" }],
    [503, { kind: "broken" }],
  ])("return an error response as data instead of throwing: %i", async (status, outcome) => {
    answering(() => Response.json({ error: {} }, { status, headers: { "Retry-After": "7" } }));
    expect(await siteSource("login").check("sid")).toEqual(outcome);
  });

  test("distinguish a failed connection from a response that is not JSON", async () => {
    answering(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await siteSource("login").check("sid")).toEqual({ kind: "unreachable" });
    answering(() => new Response("<html>"));
    expect(await siteSource("login").check("sid")).toEqual({ kind: "broken" });
  });
});

test("treats any status that the protocol does not define as an error", () => {
  expect(parseCheckOutcome({ status: "pending" })).toEqual({ kind: "pending" });
  expect(parseCheckOutcome({ status: "unregistered" })).toEqual({ kind: "unregistered" });
  expect(parseCheckOutcome({ status: "authenticated", user_id: 7, redirect: "/dashboard" })).toEqual({
    kind: "authenticated",
    redirect: "/dashboard",
  });
  expect(parseCheckOutcome({ status: "authenticated" })).toEqual({ kind: "authenticated", redirect: null });
  for (const body of [null, [], "pending", {}, { status: 1 }, { status: "done" }]) {
    expect(parseCheckOutcome(body)).toEqual({ kind: "broken" });
  }
});

test("rejects a code without a session or a payload", () => {
  for (const body of [null, {}, { sid: "s" }, { qr: "q" }, { sid: "", qr: "q" }, { sid: 1, qr: "q" }]) {
    expect(parseIssueOutcome(body)).toEqual({ kind: "broken" });
  }
});

test("reports only the two refusals that a user can act on", () => {
  expect(parseRefusalReason({ reason: "invalid_signature" })).toBe("invalid_signature");
  expect(parseRefusalReason({ reason: "challenge_expired" })).toBe("challenge_expired");
  expect(parseRefusalReason({ reason: "<b>" })).toBeNull();
});

test("limits Retry-After to a reasonable range", () => {
  expect([null, "0", "7", "999999", "soon"].map(parseRetryAfterSeconds)).toEqual([30, 1, 7, 600, 30]);
});

describe("the fast login's endpoints", () => {
  test("send an empty sid for the first code and the session's sid for a renewal", async () => {
    const fetching = answering(() =>
      Response.json({ qr: "https://x/api/fastauth?sid=s", sid: "s", status: 0 }),
    );
    const source = createFastLoginSource();
    expect(await source.issue(null)).toEqual({
      kind: "issued",
      sid: "s",
      qr: "https://x/api/fastauth?sid=s",
    });
    await source.issue("s");
    expect(fetching.mock.calls.map(([url]) => url)).toEqual(["/api/getqrcode?sid=", "/api/getqrcode?sid=s"]);
    expect(source.eventsUrl("s")).toBe("/api/svc/events?sid=s");
  });

  test("redeem an answered login only if the page has its session", async () => {
    answering(() => Response.json({ qr: "", sid: "s", status: 1 }));
    expect(await createFastLoginSource().issue("s")).toEqual({
      kind: "authenticated",
      sid: "s",
      redirect: "/dashboard",
    });
    expect(await createFastLoginSource().issue(null)).toEqual({ kind: "signed-in" });
  });

  test.each([
    [{ sid: "s", status: 0 }, { kind: "pending" }],
    [
      { sid: "s", status: 1 },
      { kind: "authenticated", redirect: "/dashboard" },
    ],
    [{ sid: "s", status: "1" }, { kind: "broken" }],
    [null, { kind: "broken" }],
  ])("parse every status: %j as %j", (body, outcome) => {
    expect(parseFastCheckOutcome(body)).toEqual(outcome);
  });
});

describe("a code that adds a sign-in method", () => {
  test("leads to the confirmation page instead of redeeming a login", async () => {
    const confirm = { kind: "authenticated", redirect: "/dashboard/add/confirm?sid=s+1" };
    const { public_key: svc, address: fast } = ADD_KEY_SOURCES;
    const fetching = answering(() => Response.json({ status: "authenticated", redirect: "/dashboard" }));
    await svc.issue("s 1");
    expect(await svc.check("s 1")).toEqual(confirm);
    answering(() => Response.json({ sid: "s 1", status: 1 }));
    expect(await fast.check("s 1")).toEqual(confirm);
    expect(await fast.issue("s 1")).toEqual({ ...confirm, sid: "s 1" });
    expect(fetching.mock.calls[0]?.[0]).toBe("/api/svc/qr?mode=login&intent=add&sid=s+1");
    expect([svc.provider, fast.provider]).toEqual([null, null]);
    const event = { status: "authenticated", redirect: "/dashboard" };
    for (const source of [svc, fast]) {
      expect(source.eventsUrl("s 1")).toBe("/api/svc/events?sid=s+1");
      expect(source.readEvent?.(event, "s 1")).toEqual(confirm);
    }
  });
});

test("treats the sign-in as ended if the request for an approval code is refused with 403", async () => {
  answering(() => Response.json({ error: { code: "approval_required" } }, { status: 403 }));
  expect(await APPROVAL_SOURCES.public_key.issue(null)).toEqual({ kind: "ended" });
  expect(await APPROVAL_SOURCES.address.issue("s")).toEqual({ kind: "ended" });
});
