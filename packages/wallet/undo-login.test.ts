import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../tools/kit/receiver.ts";
import { readSignedInBrowser } from "./read-service-reply.ts";
import { explainUndoEffect, isAllowedUndoUrl, undoLogin } from "./undo-login.ts";

const WEBHOOK = "https://example.com:8443/webhook/login";
const UNDO = "https://example.com:8443/webhook/undo?s=1&t=2";
const BODY = {
  status: "authenticated",
  browser: { name: "Firefox on Linux" },
  new_browser: true,
  undo: UNDO,
};

test("reads from the response which browser was signed in and how to undo the login", () => {
  expect(readSignedInBrowser(BODY, WEBHOOK)).toEqual({ name: "Firefox on Linux", isNew: true, undo: UNDO });
});

test.each<[string, unknown]>([
  ["on another host", "https://evil.example:8443/undo"],
  ["on another port", "https://example.com/undo"],
  ["over plain http", "http://example.com:8443/undo"],
  ["with a user name", "https://you@example.com:8443/undo"],
  ["relative", "/webhook/undo"],
  ["with invalid characters", "https://example.com:8443/\u202eundo"],
  ["endless", `${UNDO}${"x".repeat(2048)}`],
  ["a number", 7],
])("ignores an undo URL that is not a valid HTTPS URL at the site's origin: %s", (_what, undo) => {
  expect(readSignedInBrowser({ ...BODY, undo }, WEBHOOK)).toMatchObject({ undo: null });
});

test.each([
  { browser: undefined },
  { browser: { name: "Fire\u202efox" } },
  { browser: { name: "x".repeat(101) } },
  { browser: { name: "two\nlines" } },
  { new_browser: "yes" },
])("ignores the browser in a response if a field is invalid: %j", (part) => {
  expect(readSignedInBrowser({ ...BODY, ...part }, WEBHOOK)).toBeUndefined();
});

test.each<[number, boolean, RegExp]>([
  [200, true, /^That browser is signed out\. If this answer linked a key .* stays until it is removed/],
  [404, false, /has ended, or it is more than ten minutes old.* open the site in your own browser/],
  [302, false, /Try again/],
  [429, false, /Wait a minute/],
  [503, false, /Try again/],
])("treats an undo as done only after a 200: status %i, %s", async (status, ok, advice) => {
  const site = await startReceiver("127.0.0.1", 0, (response) =>
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(),
  );
  onTestFinished(() => site.close());
  const result = await undoLogin(`${site.url}/undo?t=1`);
  expect(result).toEqual({ ok, status, advice: expect.stringMatching(advice) });
  expect(site.received).toMatchObject([{ method: "POST", path: "/undo?t=1", body: Buffer.of() }]);
  expect(site.received[0]?.headers).not.toHaveProperty("cookie");
});

test("does not claim to have removed a key that was already confirmed", () => {
  for (const purpose of ["login", "register", "approve"] as const) {
    expect(explainUndoEffect(purpose)).toBe("That browser is signed out.");
  }
  for (const purpose of ["add", "recover"] as const) {
    expect(explainUndoEffect(purpose)).toMatch(
      /^The answer has been undone\. If the key was already confirmed .* it stays/,
    );
  }
});

test("says what to do if the site is unreachable or the device is offline", async () => {
  const fetch = () => Promise.reject(new TypeError("no"));
  expect(await undoLogin(UNDO, "login", { fetch })).toMatchObject({
    ok: false,
    status: 0,
    advice: expect.stringMatching(/Try again/),
  });
  expect(await undoLogin(UNDO, "login", { fetch, online: () => false })).toMatchObject({
    advice: expect.stringMatching(/offline/),
  });
});

test("undoes a login over HTTPS, or over HTTP on a loopback host", () => {
  const urls = [UNDO, "http://localhost:3000/undo", "http://example.com/undo", "file:///etc", "undo"];
  expect(urls.map(isAllowedUndoUrl)).toEqual([true, true, false, false, false]);
});
