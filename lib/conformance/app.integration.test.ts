import { expect, inject, test } from "vitest";
import { runServer } from "./server/run-server.ts";
import { DEFAULT_PATHS } from "./server/target.ts";

const [url] = inject("appUrls");

/** The longest that a run may take on two cores that have nothing else to do. */
test("this application keeps every rule, within two windows of its own limits and 2,000 requests", async () => {
  const { results, requests } = await runServer({
    target: { ...DEFAULT_PATHS, origin: new URL(url) },
    timeoutSeconds: 30,
  });
  const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
  expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(140);
  expect(requests).toBeLessThan(2_000);
});
