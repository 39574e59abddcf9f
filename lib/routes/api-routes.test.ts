import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAST_WEBHOOK_PATH } from "#packages/login/plugins/fast/protocol.ts";
import { UNDO_PATH } from "#packages/login/protocol/paths.ts";
import { ACCOUNT_ROUTES, API_ROUTES, isApiPath, matchApiRoute } from "./api-routes.ts";

const APP = join(import.meta.dirname, "..", "..", "app");

/** In any syntax. */
function exportedMethods(source: string): string[] {
  const exports = [...source.matchAll(/^export ([^=(;]*)/gm)].map(([, names = ""]) => names);
  return exports.join().match(/\b(GET|HEAD|POST|PUT|PATCH|DELETE)\b/g) ?? [];
}

const routeFiles = globSync("**/route.ts", { cwd: APP })
  .map((file) => {
    const path = `/${file.replaceAll("\\", "/").replace(/\/route\.ts$/, "")}`.replace(/\/\([^)]*\)/g, "");
    return {
      path,
      pattern: new RegExp(
        `^${path
          .replace(/\/\[\[\.\.\.[a-z]+\]\]/gi, "(?:/.+)?")
          .replace(/\[\.\.\.[a-z]+\]/gi, ".+")
          .replace(/\[[a-z_]+\]/gi, "[^/]+")}$`,
      ),
      methods: exportedMethods(readFileSync(join(APP, file), "utf8")),
    };
  })
  // In Next.js's order: literal segments before parameters, parameters before catch-all segments.
  .toSorted((one, other) => openness(one.path) - openness(other.path));

function openness(path: string): number {
  return (path.includes("[...") ? 100 : 0) + path.split("[").length;
}

function fileOf({ path }: { path: string }) {
  return routeFiles.find(({ pattern }) => pattern.test(path));
}

describe("the table of the API's routes", () => {
  test("lists exactly the paths of the route files below the API's prefixes", () => {
    const answering = new Set(API_ROUTES.map((route) => fileOf(route)?.path ?? `none for ${route.path}`));
    const files = routeFiles.map(({ path }) => path).filter(isApiPath);
    expect([...answering].toSorted()).toEqual(files.toSorted());
  });

  test("lists exactly the methods that each route file exports", () => {
    for (const [file, routes] of Map.groupBy(API_ROUTES, fileOf)) {
      const routeMethods = new Set(
        routes.flatMap(({ methods }) => methods.filter((method) => method !== "HEAD")),
      );
      const exported = (file?.methods ?? []).filter((method) => method !== "HEAD");
      expect({ path: file?.path, methods: [...routeMethods].toSorted() }).toEqual({
        path: file?.path,
        methods: exported.toSorted(),
      });
    }
  });

  test("allows requests from other origins only to the endpoints that wallets post to", () => {
    const open = API_ROUTES.filter(({ cors }) => cors).map(({ path }) => path);
    expect(open).toEqual([
      ...["/webhook/login", "/webhook/register", UNDO_PATH, "/webhook/sessions/:id", FAST_WEBHOOK_PATH],
      "/conformance/answers/:run/:code",
    ]);
  });
});

test("mounts every account endpoint so that its requests are counted", () => {
  expect(globSync("api/account/**/route.ts", { cwd: APP })).toHaveLength(1);
  const source = readFileSync(join(APP, "api/account/[[...path]]/route.ts"), "utf8");
  // The login package counts its own requests.
  const mounted = source.match(
    /^ {2}"[A-Z]+ \/api\/account[^"]*": (createEndpoint\(ACCOUNT, |login\.routes\.)/gm,
  );
  expect(mounted).toHaveLength(ACCOUNT_ROUTES.flatMap(({ methods }) => methods).length);
});

describe("a path", () => {
  test.each(["/api/svc", "/api/svc/x", "/webhook/login/x", "/v1/%00", "/sandbox/v1"])(
    "belongs to the API: %s",
    (path) => expect(isApiPath(path)).toBe(true),
  );

  test.each(["/", "/api/svcx", "/v10", "/v1x/y", "/sandbox", "/API/svc", "/x/api/svc/qr", "/webhooks"])(
    "does not belong to the API: %s",
    (path) => expect(isApiPath(path)).toBe(false),
  );

  test("has exactly one segment where its pattern has a parameter", () => {
    expect(matchApiRoute("/api/account/sessions/x")?.path).toBe("/api/account/sessions/:id");
    expect(matchApiRoute("/api/account/sessions/x/y")).toBeNull();
    expect(matchApiRoute("/api/account/sessions/")).toBeNull();
  });
});
