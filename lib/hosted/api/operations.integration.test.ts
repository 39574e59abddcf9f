import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, url } from "#e2e/support/test-apps.ts";
import { OPERATIONS } from "../contract/operations.ts";

describe("every operation of the document", () => {
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
    for (const { method, path } of OPERATIONS) {
      if (method === "GET" || method === "DELETE") continue;
      const customer = await newCustomer(url, databaseUrl);
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const response = await customer.call(method, path.replace(":id", "unknown"), text, {
            "Content-Type": "application/json",
          });
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
