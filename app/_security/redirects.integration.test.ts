import { describe, expect, test } from "vitest";
import { url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerRegistration, signInBrowser } from "#tools/kit/login.ts";

const ELSEWHERE = [
  ...["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example"],
  ...["/\n/evil.example", "/%09/evil.example", "/%2F/evil.example", "/%5Cevil.example", "https:evil.example"],
  ...["/.//evil.example", "/..//evil.example", "///evil.example", "/x@evil.example//..//evil.example"],
  ...[`${url}@evil.example/`, `${url}.evil.example/`, "http://localhost:1/", "//evil.example\\@localhost/"],
  ...[
    "/／evil.example",
    "//evil。example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//",
    "data:text/html,x",
    "\u0000//evil.example",
  ],
];

/** Null without a redirect. */
function leadsTo(response: Response, from: string): URL | null {
  const location =
    response.headers.get("location") ?? /url=(.*)$/.exec(response.headers.get("refresh") ?? "")?.[1];
  return location ? new URL(location, new URL(from, url)) : null;
}

describe("a redirect", () => {
  test("never leads to another origin, whatever its path and query", async () => {
    const anyone = new Client(url);
    const { browser } = await signInBrowser(url);
    const raw = [
      "/login//evil.example/",
      "/login/..//evil.example/",
      "/%2e%2e//evil.example/",
      "/x/%2f%2fevil.example/",
    ];
    const requests: [string, Client[]][] = [
      // Also sends each target unencoded, because programs do not normalise URLs as browsers do.
      ...raw.map((path): [string, Client[]] => [path, [anyone]]),
      ...ELSEWHERE.flatMap((target, index): [string, Client[]][] => {
        const encoded = encodeURIComponent(target);
        const query = `callbackUrl=${encoded}&redirect=${encoded}&next=${encoded}&url=${encoded}&error=${encoded}`;
        // Several pages read this parameter using the same function, so each target is tried on only one page.
        const inTurn = (...paths: string[]) => paths[index % paths.length] ?? "";
        return [
          [inTurn(`/login?${query}`, `/register?${query}`), [anyone, browser]],
          // On this page, a signed-in browser is redirected to its callbackUrl.
          [`/fast?problem=${encoded}&${query}`, index % 2 ? [browser] : [anyone, browser]],
          [inTurn(`/dashboard?${query}`, `/dashboard?sid=${encoded}`), [anyone, browser]],
          [`/dashboard/enter?sid=${encoded}`, [index % 2 ? browser : anyone]],
          [`/api/auth/signin?${query}`, [anyone]],
          [`/api/auth/error?${query}`, [anyone]],
          [`/${encoded}`, [anyone]],
          [
            inTurn(`/console/${encoded}`, `/login/${encoded}/`, `/console/test/domains/${encoded}`),
            [browser],
          ],
        ];
      }),
    ];
    for (const [path, clients] of requests) {
      for (const client of clients) {
        const response = await client.fetch(path);
        expect(response.status, path).toBeLessThan(500);
        const destination = leadsTo(response, path);
        if (destination) expect(`${path} → ${destination.origin}`).toBe(`${path} → ${url}`);
        const html = await response.text();
        expect(html, path).not.toMatch(
          /(?:href|src|action|content)="\s*(?:\d+;\s*url=)?(?:https?:)?[\\/]{2}evil/i,
        );
        expect(html, path).not.toMatch(/(?:href|src|action)="\s*(?:javascript|data):/i);
      }
    }
  });

  test.each([
    ["form", [...ELSEWHERE, "/api/auth/signout", "["]],
    ["query", ["https://evil.example/", "//evil.example", "/\\evil.example", "/api/auth/signout"]],
  ])("stays on this site after a sign-in or sign-out: %s", async (part, targets) => {
    for (const target of targets) {
      const { browser, sid } = await answerRegistration(url);
      const query = part === "query" ? `?callbackUrl=${encodeURIComponent(target)}` : "";
      const fields: Record<string, string> = part === "form" ? { callbackUrl: target } : {};
      for (const action of ["callback/svc", "signout"]) {
        const form = { csrfToken: await browser.csrfToken(), sid, json: "true", ...fields };
        const answer = await (await browser.postForm(`/api/auth/${action}${query}`, form)).json();
        const { origin, pathname } = new URL(answer.url, url);
        expect(`${target} → ${origin}`).toBe(`${target} → ${url}`);
        if (action === "callback/svc") expect(pathname).not.toMatch(/^\/api\//);
      }
    }
  });
});
