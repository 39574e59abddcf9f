import { afterEach, expect, test, vi } from "vitest";
import { signOutAllBrowsers, signOutBrowser } from "./index.ts";

afterEach(() => vi.unstubAllGlobals());

const answering = (status: number, code: string) =>
  vi.stubGlobal("fetch", async () => Response.json({ error: { code, message: "No." } }, { status }));

test("reports success for a browser that is already signed out", async () => {
  answering(404, "not_found");
  expect(await signOutBrowser("a")).toEqual({ done: true });
});

test("reports a failure when the requesting browser itself is signed out", async () => {
  answering(401, "not_signed_in");
  for (const result of [await signOutBrowser("a"), await signOutAllBrowsers()]) {
    expect(result).toMatchObject({ done: false, code: "not_signed_in" });
  }
});
