import { describe, expect, test } from "vitest";
import { createOpenApiDocument } from "./openapi.ts";
import { listOperationErrorCodes, toReadablePath } from "./operation.ts";
import { matchOperationPath, OPERATIONS } from "./operations.ts";

type Schema = { $ref?: string; allOf?: Schema[]; enum?: string[]; properties?: Record<string, Schema> };
type Body = { content: { "application/json": { schema: Schema } } };
type OperationDescription = { requestBody?: Body; responses: Record<string, Partial<Body>> };
type Document = {
  paths: Record<string, Record<string, OperationDescription>>;
  components: { schemas: Record<string, Schema> };
};

/** Includes the value itself. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

describe("the operation table", () => {
  test("has one operation for each method and path, and unique identifiers", () => {
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
  ] as const)("are parsed for %s in %s", (path, pathname, params) => {
    expect(matchOperationPath({ path }, pathname)).toEqual(params);
  });
});

describe("the OpenAPI document", () => {
  const document = createOpenApiDocument("https://login.example", "live");

  test("declares version 3.1 and a server, and contains only references that resolve", () => {
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

  test("lists the errors of every operation", () => {
    for (const path of Object.values(
      document.paths as Record<string, Record<string, { responses: object }>>,
    )) {
      for (const { responses } of Object.values(path)) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(["401", "429", "500", "503"]));
      }
    }
  });

  describe("for generated clients", () => {
    const { paths, components } = document as unknown as Document;
    const componentAt = (schema: Schema | undefined) =>
      components.schemas[/^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? "")?.[1] ?? ""];

    test("uses a named component for every object that an operation sends or returns", () => {
      const nouns = ["Session", "Domain", "Delivery", "WebhookEvent", "ApiError"];
      expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(nouns));
      const inline = [document.paths, document.webhooks].flatMap(objectsIn);
      expect(inline.filter((schema) => "properties" in schema)).toEqual([]);
      const { listDeliveries, resendDelivery, sendTestEvent } = answerNames(paths);
      expect({ resendDelivery, sendTestEvent }).toEqual({
        resendDelivery: "#/components/schemas/Delivery",
        sendTestEvent: "#/components/schemas/Delivery",
      });
      expect(JSON.stringify(componentAt({ $ref: listDeliveries ?? "" }))).toContain(
        '"#/components/schemas/Delivery"',
      );
    });

    test("has no component with the name of a JavaScript global", () => {
      expect(Object.keys(components.schemas).filter((name) => name in globalThis)).toEqual([]);
    });

    test.each(OPERATIONS)("lists the error codes of $id as an enum", (operation) => {
      const described = paths[toReadablePath(operation.path)]?.[operation.method.toLowerCase()];
      const errors = Object.entries(described?.responses ?? {}).filter(([status]) => Number(status) >= 400);
      expect(errors.length).toBeGreaterThan(3);
      for (const [, { content }] of errors) {
        const [general, own] = componentAt(content?.["application/json"].schema)?.allOf ?? [];
        expect(general?.$ref).toBe("#/components/schemas/ApiError");
        const code = componentAt(own?.properties?.error?.properties?.code);
        expect(code?.enum).toEqual(listOperationErrorCodes(operation));
      }
    });

    test("lists the same event types for deliveries as for the webhook", () => {
      const kind = "#/components/schemas/EventKind";
      expect(components.schemas.Delivery?.properties?.event?.$ref).toBe(kind);
      expect(components.schemas.WebhookEvent?.properties?.event?.$ref).toBe(kind);
    });

    test("contains no patterns, which a client would have to compile", () => {
      expect(objectsIn(document).filter((item) => "pattern" in item)).toEqual([]);
    });
  });

  test("declares a separate server and a separate type of key for the sandbox", () => {
    const sandbox = JSON.stringify(createOpenApiDocument("https://login.example", "test"));
    expect(sandbox).toContain("https://login.example/sandbox/v1");
    expect(sandbox).toContain("svc_test_");
    expect(sandbox).not.toContain("svc_live_");
  });
});

/** Keyed by operation id. */
function answerNames(paths: Document["paths"]): Record<string, string | undefined> {
  return Object.fromEntries(
    OPERATIONS.map(({ id, path, method, success }) => {
      const { responses = {} } = paths[toReadablePath(path)]?.[method.toLowerCase()] ?? {};
      return [id, responses[success.status]?.content?.["application/json"].schema.$ref];
    }),
  );
}
