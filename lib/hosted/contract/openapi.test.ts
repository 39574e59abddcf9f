import { describe, expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { matchOperationPath, OPERATIONS } from "./operations.ts";

describe("one operation table", () => {
  test("no two operations answer one request, and no identifier stands twice", () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
    for (const operation of OPERATIONS) {
      const path = operation.path.replaceAll(":id", "x");
      const matching = OPERATIONS.filter(
        (other) => other.method === operation.method && matchOperationPath(other, path),
      );
      expect(matching).toEqual([operation]);
    }
  });
});

describe("path parameters", () => {
  test.each([
    ["/sessions/:id", "/sessions/a%20b", { id: "a b" }],
    ["/sessions/:id", "/sessions/", null],
    ["/sessions/:id", "/sessions", null],
    ["/sessions/:id", "/sessions/a/b", null],
    ["/sessions/:id", "/sessions/a%2Fb", { id: "a/b" }],
    ["/sessions", "/sessions/", null],
    ["/sessions/:id/refresh", "/sessions/x/refresh", { id: "x" }],
  ] as const)("%s in %s", (path, pathname, params) => {
    expect(matchOperationPath({ path }, pathname)).toEqual(params);
  });
});

describe("the OpenAPI document", () => {
  const document = openApiDocument("https://login.example", "live");

  test("is 3.1, names its server, and every reference in it leads somewhere", () => {
    expect(document).toMatchObject({
      openapi: "3.1.0",
      servers: [{ url: "https://login.example/v1" }],
      security: [{ apiKey: [] }],
    });
    const text = JSON.stringify(document);
    for (const [, pointer = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer
        .split("/")
        .reduce<unknown>(
          (value, name) =>
            typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined,
          document,
        );
      expect(target, pointer).toBeDefined();
    }
  });

  test("says of every operation what can go wrong", () => {
    for (const path of Object.values(
      document.paths as Record<string, Record<string, { responses: object }>>,
    )) {
      for (const { responses } of Object.values(path)) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(["401", "429", "500", "503"]));
      }
    }
  });

  test("the sandbox's names its own server and its own kind of key", () => {
    const sandbox = JSON.stringify(openApiDocument("https://login.example", "test"));
    expect(sandbox).toContain("https://login.example/sandbox/v1");
    expect(sandbox).toContain("svc_test_");
    expect(sandbox).not.toContain("svc_live_");
  });
});
