import { globSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { API_ROUTES, isApiPath } from "./api-routes.ts";
import { PAGE_ROUTES, routePattern } from "./route-pattern.ts";

const APP = join(import.meta.dirname, "..", "..", "app");

/** What the framework serves from the folder `app`, as patterns. */
const served = globSync("**/{page.tsx,route.ts}", { cwd: APP })
  .map((file) => `/${file.replaceAll("\\", "/").replace(/\/?(page\.tsx|route\.ts)$/, "")}`)
  .map((path) => path.replace(/\[([a-z]+)\]/g, ":$1"));

describe("the pattern of a path", () => {
  test("is known for every page and route that is served", () => {
    const outside = served.filter((path) => !isApiPath(path) && !path.startsWith("/api/auth/"));
    expect(outside.toSorted()).toEqual([...PAGE_ROUTES].toSorted());
  });

  test.each([
    ["/api/svc/check", "/api/svc/check"],
    ["/v1/sessions/0123456789abcdef", "/v1/sessions/:id"],
    ["/webhook/sessions/0123456789abcdef", "/webhook/sessions/:id"],
    ["/console/live/domains/dom_0123", "/console/:mode/domains/:id"],
    ["/console/test", "/console/:mode"],
    ["/api/auth/callback/svc", "/api/auth/callback/svc"],
    ["/api/auth/callback/0123", "/api/auth/*"],
    ["/_next/static/chunks/0123.js", "/_next/*"],
    ["/wp-login.php", "other"],
    ["/console/0123", "other"],
  ])("%s is %s", (path, pattern) => {
    expect(routePattern(path)).toBe(pattern);
  });

  test("is one of a few, whatever is sent, and repeats nothing of it", () => {
    const known = new Set([...API_ROUTES.map(({ path }) => path), ...PAGE_ROUTES, "/_next/*", "other"]);
    const starts = " /v1/sessions /console/live/sessions /api/auth /_next /login /webhook/sessions".split(
      " ",
    );
    fc.assert(
      fc.property(fc.constantFrom("", ...starts), fc.webPath(), (start, rest) => {
        const pattern = routePattern(start + rest);
        expect(known.has(pattern) || pattern.startsWith("/api/auth/")).toBe(true);
      }),
    );
  });
});
