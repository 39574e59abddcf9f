import { expect, test } from "vitest";
import { loopbackRedirectUrl } from "./redirect-to-origin.ts";

const OWN = new URL("http://localhost:3410");

test.each(["127.0.0.1:3410", "[::1]:3410", "127.0.0.2:3410"])(
  "redirects a page from a different loopback host to the site's origin: %s",
  (host) => {
    expect(loopbackRedirectUrl(OWN, host, "/login?a=b")).toBe("http://localhost:3410/login?a=b");
  },
);

test("redirects from localhost to the configured host name", () => {
  const ownOrigin = new URL("http://127.0.0.1:3410");
  expect(loopbackRedirectUrl(ownOrigin, "localhost:3410", "/")).toBe("http://127.0.0.1:3410/");
});

test.each([
  ["the site's own", "localhost:3410"],
  ["another port, which is a proxy's or another site's", "127.0.0.1:3411"],
  ["another machine's", "192.168.1.2:3410"],
  ["a name that only begins with one of this machine's", "127.0.0.1.example:3410"],
  ["none", undefined],
  ["missing", "://"],
  ["too long to be read", "1".repeat(5_000)],
])("does not redirect from any other host: %s", (_what, host) => {
  expect(loopbackRedirectUrl(OWN, host, "/login")).toBeNull();
});

test.each(["https://login.example.com", "http://login.lan"])(
  "does not redirect if the site is not on a loopback host, because its proxy may use a loopback name: %s",
  (origin) => expect(loopbackRedirectUrl(new URL(origin), "127.0.0.1", "/login")).toBeNull(),
);
