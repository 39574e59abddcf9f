import { globSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { API_ROUTES } from "./api-routes.ts";
import { findRoutePattern, isPagePath } from "./route-pattern.ts";

const served = globSync("**/{page.tsx,route.ts}", { cwd: join(import.meta.dirname, "..", "..", "app") })
  .map((file) => `/${file.replaceAll("\\", "/").replace(/\/?(page\.tsx|route\.ts)$/, "")}`)
  .map((path) => path.replace(/\[([a-z]+)\]/g, ":$1"));

describe("the pattern of a path", () => {
  test.each([
    ["/", "/"],
    ["/healthz", "/healthz"],
    ["/wallet/sw.js", "/wallet/sw.js"],
    ["/wallet/swxjs", "other"],
    ["/login/hosted", "/login/hosted"],
    ["/api/svc/check", "/api/svc/check"],
    ["/v1/sessions/0123456789abcdef", "/v1/sessions/:id"],
    ["/webhook/sessions/0123456789abcdef", "/webhook/sessions/:id"],
    ["/console/live/domains/dom_0123", "/console/:mode/domains/:id"],
    ["/console/test", "/console/:mode"],
    ["/docs/guides/protocol", "/docs/guides/:id"],
    ["/api/auth/callback/svc", "/api/auth/callback/svc"],
    ["/api/auth/callback/0123", "/api/auth/*"],
    ["/api/account/unknown", "other"],
    ["/_next/static/chunks/0123.js", "/_next/*"],
    ["/wp-login.php", "other"],
    ["/console/live/0123", "other"],
  ])("is derived from the path: %s is %s", (path, pattern) => {
    expect(findRoutePattern(path)).toBe(pattern);
  });

  test("is one of a fixed list, and never contains text from the path", () => {
    const starts = " /v1/sessions /console/live/sessions /api/auth /_next /login /webhook/sessions".split(
      " ",
    );
    const knownRoutes = new Set([...API_ROUTES.map(({ path }) => path), ...served, "/_next/*", "other"]);
    fc.assert(
      fc.property(fc.constantFrom("", ...starts), fc.webPath(), (start, rest) => {
        const pattern = findRoutePattern(start + rest);
        expect(knownRoutes.has(pattern) || pattern.startsWith("/api/auth/")).toBe(true);
      }),
    );
  });
});

test.each([
  ["/", true],
  ["/console/live/domains/dom_0123", true],
  ["/healthz", false],
  ["/docs/search", true],
  ["/docs/search/results", false],
  ["/unknown", false],
])("recognises whether a path is that of a page for people: %s, %s", (path, expected) => {
  expect(isPagePath(path)).toBe(expected);
});
