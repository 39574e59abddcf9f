import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { API_ROUTES, isApiPath, matchApiRoute } from "#lib/contracts/api-routes.ts";
import { FAST_WEBHOOK_PATH } from "#lib/contracts/fast.ts";

const APP = join(import.meta.dirname, "..", "..", "..", "app");

/** The methods that a route file exports, whichever way it is written. */
function exportedMethods(source: string): string[] {
  const declared = source.matchAll(/^export (?:const|(?:async )?function) ([A-Z]+)\b/gm);
  const destructured = source.matchAll(/^export (?:const )?\{([^}]*)\}/gm);
  const names = [
    ...[...declared].map(([, name = ""]) => name),
    ...[...destructured].flatMap(([, list = ""]) =>
      list.split(",").map(
        (item) =>
          item
            .split(/ as |:/)
            .at(-1)
            ?.trim() ?? "",
      ),
    ),
  ];
  return names.filter((name) => /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(name));
}

const routeFiles = globSync("**/route.ts", { cwd: APP }).map((file) => {
  const path = `/${file.replaceAll("\\", "/").replace(/\/route\.ts$/, "")}`;
  return {
    path: path.replace(/\/\([^)]*\)/g, "").replace(/\[([a-z_]+)\]/gi, ":$1"),
    methods: exportedMethods(readFileSync(join(APP, file), "utf8")),
  };
});

/** GET of a flow A webhook is a page (contract 4), and HEAD comes with a GET. */
function handledMethods({ path, methods }: { path: string; methods: readonly string[] }): string[] {
  const page = path === "/webhook/login" || path === "/webhook/register";
  return methods.filter((method) => method !== "HEAD" && !(page && method === "GET")).toSorted();
}

describe("the table of the API's routes", () => {
  test("names every route file below the API's prefixes, and nothing else", () => {
    const files = routeFiles.map(({ path }) => path).filter(isApiPath);
    expect(API_ROUTES.map(({ path }) => path).toSorted()).toEqual(files.toSorted());
  });

  test("names the methods that each of them exports", () => {
    for (const route of API_ROUTES) {
      const file = routeFiles.find(({ path }) => path === route.path);
      expect({ path: route.path, methods: handledMethods(route) }).toEqual({
        path: route.path,
        methods: (file?.methods ?? []).filter((method) => method !== "HEAD").toSorted(),
      });
    }
  });

  test("opens to other origins what wallets post to, and nothing else", () => {
    for (const { path, methods, cors } of API_ROUTES) {
      const wallets = path.startsWith("/webhook/") || path === FAST_WEBHOOK_PATH;
      expect([path, Boolean(cors)]).toEqual([path, methods.includes("POST") && wallets]);
    }
  });
});

describe("a path", () => {
  test.each(["/api/svc", "/api/svc/x", "/webhook/login/x", "/v1/%00", "/sandbox/v1"])(
    "is the API's: %s",
    (path) => expect(isApiPath(path)).toBe(true),
  );

  test.each(["/", "/api/svcx", "/v10", "/v1x/y", "/sandbox", "/API/svc", "/x/api/svc/qr", "/webhooks"])(
    "is not the API's: %s",
    (path) => expect(isApiPath(path)).toBe(false),
  );

  test("names one segment by a parameter, never several and never none", () => {
    expect(matchApiRoute("/api/account/sessions/x")?.path).toBe("/api/account/sessions/:id");
    expect(matchApiRoute("/api/account/sessions/x/y")).toBeNull();
    expect(matchApiRoute("/api/account/sessions/")).toBeNull();
  });
});
