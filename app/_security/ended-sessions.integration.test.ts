import { beforeAll, describe, expect, test } from "vitest";
import { API_ENDPOINTS, PAGES } from "#e2e/support/endpoints.ts";
import { otherUrl, SESSION_COOKIE, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";

/** A browser whose session token a thief copied before the user signed out. */

let live: Client;
let stolen: { browser: Client; userId: number | null };

beforeAll(async () => {
  live = (await signInBrowser(url)).browser;
  const { browser, userId } = await signInBrowser(url);
  const thief = browser.copy(otherUrl);
  await browser.signOut();
  expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
  stolen = { browser: thief, userId };
});

/** The parts of a response that depend on the client's identity. */
async function summaryOf(client: Client, { method, path }: { method: string; path: string }) {
  // Ignores cookies that the response sets, so that each request sends the thief's original cookies.
  const before = [...client.cookies];
  const response = await client.fetch(path, { method, headers: { Origin: url } });
  const text = await response.text();
  for (const [name, value] of before) client.cookies.set(name, value);
  const type = response.headers.get("content-type") ?? "";
  return {
    at: `${method} ${path}`,
    status: response.status,
    location: response.headers.get("location"),
    code: type.startsWith("application/json") && text !== "" ? (JSON.parse(text).error?.code ?? null) : null,
    text,
  };
}

test("redirects signed-out visitors from restricted pages to the login", async () => {
  const restricted = PAGES.filter(({ path }) => /^\/(dashboard|console)\b/.test(path));
  expect(restricted.length).toBeGreaterThan(8);
  for (const page of restricted) {
    const nobodys = await summaryOf(new Client(url), page);
    expect(`${nobodys.at} ${nobodys.status} ${nobodys.location}`).toMatch(
      / 307 \/(login\?callbackUrl=|console)/,
    );
    const users = await summaryOf(live, page);
    expect(`${users.at} ${users.location}`).not.toContain("/login");
  }
});

describe("a token whose session has ended", () => {
  test("does not sign a browser in on any page of either process", async () => {
    for (const page of PAGES) {
      const { text, ...answer } = await summaryOf(stolen.browser, page);
      const { text: _, ...nobodys } = await summaryOf(new Client(otherUrl), page);
      expect(answer).toEqual(nobodys);
      expect(text).not.toMatch(new RegExp(`user ${stolen.userId}\\b`, "i"));
    }
  });

  test("gets 401 from every endpoint of the account and the console", async () => {
    const ownAddresses = API_ENDPOINTS.filter(
      ({ method, path }) =>
        /^\/api\/(account|console)\//.test(path) &&
        !(method === "DELETE" && ["/api/account", "/api/account/sessions"].includes(path)),
    );
    expect(ownAddresses.length).toBeGreaterThan(15);
    for (const address of ownAddresses) {
      const { text: _, ...answer } = await summaryOf(stolen.browser, address);
      // Only errors in the request body can be reported before the session is checked.
      if (answer.code !== "invalid_request" && answer.code !== "unsupported_media_type") {
        const code = address.method === "HEAD" ? null : "not_signed_in";
        expect(answer).toMatchObject({ status: 401, code });
      }
      const users = await summaryOf(live, address);
      expect(users.code).not.toBe("not_signed_in");
    }
  });
});
