import { beforeEach, expect, test, vi } from "vitest";

const NOON = Date.parse("2026-11-26T12:00:00Z");
const clocks = { wall: 0, steady: 0 };

beforeEach(() => {
  vi.resetModules();
  Object.assign(clocks, { wall: NOON + 300_000, steady: 0 });
  vi.spyOn(Date, "now").mockImplementation(() => clocks.wall);
  vi.stubGlobal("performance", { now: () => clocks.steady });
  const headers = { Date: new Date(NOON).toUTCString() };
  vi.stubGlobal("fetch", async () => Response.json({}, { headers }));
});

test("uses the device's time until the server has responded, and the server's time from then on", async () => {
  const { fetchJson } = await import("./fetch-json.ts");
  const { serverNow } = await import("./server-clock.ts");
  expect(serverNow()).toBe(NOON + 300_000);
  await fetchJson("/api/svc/check?sid=s");
  expect(serverNow()).toBe(NOON);
  Object.assign(clocks, { wall: clocks.wall - 3_600_000, steady: 7_000 });
  expect(serverNow()).toBe(NOON + 7_000);
});
