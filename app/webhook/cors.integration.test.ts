import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { requestQr } from "#scripts/kit/login.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const ORIGIN = "https://wallet.example";

function corsHeaders(response: Response): string[] {
  return [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
}

describe.each(["/webhook/login", "/webhook/register"])(
  "%s, for a wallet that is a page elsewhere",
  (path) => {
    test("answers the preflight for a JSON post without credentials", async () => {
      const response = await new Client(url).fetch(path, {
        method: "OPTIONS",
        headers: {
          Origin: ORIGIN,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type",
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-methods")).toContain("POST");
      expect(response.headers.get("access-control-allow-headers")).toMatch(/content-type/i);
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    });

    test.each([
      ["accepted", 200, "register"],
      ["refused", 400, null],
    ])("lets it read an answer that is %s", async (_name, status, action) => {
      const challenge = action ? (await requestQr(new Client(url), action)).challenge : 0;
      const response = await new Client(url).post(
        action ? `/webhook/${action}` : path,
        new TestWallet().response(String(challenge), action ? {} : { challenge }),
        { Origin: ORIGIN },
      );
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    });

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

test.each([
  ["GET", "/api/svc/qr"],
  ["GET", "/api/svc/check?sid=x"],
  ["GET", "/api/svc/events?sid=x"],
  ["OPTIONS", "/api/svc/qr"],
  ["OPTIONS", "/api/svc/check"],
  ["OPTIONS", "/api/account/sessions"],
  ["GET", "/api/auth/session"],
  ["GET", "/api/auth/csrf"],
  ["GET", "/healthz"],
  ["GET", "/webhook/unknown"],
])("%s %s opens nothing to other origins", async (method, path) => {
  const response = await new Client(url).fetch(path, { method, headers: { Origin: ORIGIN } });
  expect(corsHeaders(response)).toEqual([]);
});
