import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";

/** Answers that no handler gives, beside those of the conformance kit (2.3-cors-wallets, -preflight). */

const [url] = inject("appUrls");
const ORIGIN = "https://wallet.example";

function corsHeaders(response: Response): string[] {
  return [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
}

describe.each(["/webhook/login", "/webhook/register"])(
  "%s, for a wallet that is a page elsewhere",
  (path) => {
    test.each<[string, string, RequestInit]>([
      ["a body too large", path, { method: "POST", body: "x".repeat(70_000) }],
      ["a method that is none of the path's", path, { method: "PUT" }],
      ["a query that cannot be decoded", `${path}?s=%ff`, { method: "POST" }],
    ])("lets it read an answer that the gate gives: %s", async (_name, target, init) => {
      const response = await new Client(url).fetch(target, init);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    });

    test("keeps the page for people to itself", async () => {
      const response = await new Client(url).fetch(path, { headers: { Origin: ORIGIN } });
      expect(corsHeaders(response)).toEqual([]);
    });
  },
);
