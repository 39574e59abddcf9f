import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { protectedPage, protectPages } from "./headers.ts";

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? "")?.[1] ?? "";

test("gives each page its own 128-bit nonce and passes it to the framework", () => {
  const nonces = Array.from({ length: 100 }, () => {
    const { forwarded, headers } = protectedPage(new Headers(), { secure: true, development: false });
    const nonce = nonceOf(new Headers(headers).get("Content-Security-Policy"));
    expect(nonceOf(forwarded.get("Content-Security-Policy"))).toBe(nonce);
    expect(Buffer.from(nonce, "base64")).toHaveLength(16);
    return nonce;
  });
  expect(new Set(nonces).size).toBe(100);
});

test("gives each response from a site's proxy.ts a nonce that the client cannot choose", () => {
  const headers = { "Content-Security-Policy": "script-src 'nonce-chosen'" };
  const nonces = Array.from({ length: 2 }, () => {
    const answer = protectPages(new NextRequest("https://shop.example/login", { headers }));
    expect(answer.headers.get("X-Frame-Options")).toBe("DENY");
    return nonceOf(answer.headers.get("Content-Security-Policy"));
  });
  expect(new Set([...nonces, "", "chosen"]).size).toBe(4);
});
