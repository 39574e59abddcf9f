import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newCustomer } from "#e2e/support/customer.ts";
import { openApiOf } from "#e2e/support/openapi.ts";
import { Client } from "#scripts/kit/client.ts";

const urls = inject("appUrls");
const [url] = urls;
const databaseUrl = inject("databaseUrl");

/** Every operation of the document, with an identifier where its path takes one. */
async function operations(id = "unknown") {
  const { paths } = await openApiOf(url, "/v1");
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: template.replace("{id}", encodeURIComponent(id)),
    })),
  );
}

describe("every operation of the document", () => {
  test("is carried out: none is unknown to the server", async () => {
    const customer = await newCustomer(url, databaseUrl);
    for (const { method, path } of await operations()) {
      const response = await customer.call(method, path, method === "GET" ? undefined : {});
      expect(await response.text(), `${method} ${path}`).not.toContain("nothing at this address");
    }
  });

  test("401 without a key, at both bases", async () => {
    for (const base of ["/v1", "/sandbox/v1"]) {
      for (const { method, path } of await operations()) {
        const response = await new Client(url).fetch(base + path, { method });
        await expectApiError(response, 401, "invalid_api_key");
      }
    }
  });

  test("405 with Allow for a method that its path does not have; 404 for a path that is none", async () => {
    const { key } = await newCustomer(url, databaseUrl);
    const call = (method: string, path: string) =>
      fetch(`${url}/sandbox/v1${path}`, { method, headers: { Authorization: `Bearer ${key}` } });
    for (const path of new Set((await operations()).map((operation) => operation.path))) {
      await expectApiError(await call("PUT", path), 405, "method_not_allowed");
    }
    for (const path of [
      "",
      "/",
      "/nothing",
      "/sessions/",
      "/sessions/x/y/z",
      "/openapi.json/",
      "/domains/x/y",
    ]) {
      await expectApiError(await call("GET", path), 404, "not_found");
    }
    await expectApiError(await call("GET", "/sessions/%E0%A4%A"), 400, "invalid_request");
  });

  test("whatever the body, the answer is one of its document and never a fault of ours", async () => {
    const body = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc
        .record(
          {
            domain: fc.anything({ maxDepth: 1 }),
            mode: fc.constantFrom("login", "__proto__", 1, null),
            webhook_url: fc.oneof(fc.webUrl(), fc.string({ unit: "binary" })),
            metadata: fc.object({ maxDepth: 2 }),
            public_key: fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^04[0-9a-f]{128}$/)),
            signature: fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^30[0-9a-f]{0,140}$/)),
            message: fc.string({ unit: "binary" }),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value) ?? "null"),
    );
    for (const { method, path } of await operations()) {
      if (method === "GET" || method === "DELETE") continue;
      const customer = await newCustomer(url, databaseUrl);
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const response = await customer.call(method, path, text, { "Content-Type": "application/json" });
          expect(response.status).toBeLessThan(500);
        }),
        { numRuns: 40 },
      );
    }
  });

  test("whatever stands where an identifier stands, the answer is one of its document", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.constantFrom("' OR 1=1 --", "%00", "__proto__", "a/b", "..", "\u{10ffff}", "x".repeat(3_000)),
    );
    const customer = await newCustomer(url, databaseUrl);
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        fc.pre(id.isWellFormed());
        for (const path of [`/sessions/${encodeURIComponent(id)}`, `/domains/${encodeURIComponent(id)}`]) {
          const { status } = await customer.get(path);
          expect([400, 404], path).toContain(status);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("GET /openapi.json", () => {
  test("200 without a key, at both bases, naming its own", async () => {
    for (const base of ["/v1", "/sandbox/v1"]) {
      const response = await new Client(url).fetch(`${base}/openapi.json`);
      expect(response.status).toBe(200);
      expect((await response.json()).servers).toEqual([{ url: url + base }]);
    }
  });
});
