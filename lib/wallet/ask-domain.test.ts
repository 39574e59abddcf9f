import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { askDomain, cachedDelegation, type KeptDelegation, lifetime } from "./ask-domain.ts";
import { formatDelegation } from "./delegation-file.ts";
import { NOW } from "./payload.fixture.ts";

const HOST = "api.svc.example";
const GOOD = formatDelegation("shop.localhost", [HOST]);
const MINUTE = 60;
const HOUR = 3600;

const server = createServer((request, response) => {
  asked.push(request);
  answer(response);
});
let answer: (response: ServerResponse) => void;
const asked: IncomingMessage[] = [];

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
beforeEach(() => {
  asked.length = 0;
  answer = (response) => response.writeHead(200, { "content-type": "application/json" }).end(GOOD);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The platform's own fetch, but for where the domain's server listens. */
const toServer: typeof fetch = (url, init) => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return fetch(String(url).replace("//shop.localhost/", `//127.0.0.1:${port}/`), init);
};
const ask = () => askDomain("shop.localhost", { fetch: toServer, now: () => NOW });

describe("the question to a domain", () => {
  test("is a GET that carries no cookie, credential or referrer, and names nobody", async () => {
    expect(await ask()).toEqual({
      domain: "shop.localhost",
      delegation: { status: "ok", hosts: [HOST] },
      askedAt: NOW,
      keptSeconds: 24 * HOUR,
    });
    expect(asked).toHaveLength(1);
    const [{ method, url, headers } = {}] = asked;
    expect({ method, url }).toEqual({ method: "GET", url: "/.well-known/svc-login" });
    for (const name of ["cookie", "authorization", "referer", "origin"])
      expect(headers).not.toHaveProperty(name);
  });

  test("tells the browser to send none either, and to follow nothing", async () => {
    const fetch = vi.fn(async () => Response.json({}));
    await askDomain("shop.example", { fetch });
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      "https://shop.example/.well-known/svc-login",
      expect.objectContaining({
        credentials: "omit",
        redirect: "manual",
        referrerPolicy: "no-referrer",
        cache: "no-store",
      }),
    );
  });

  test("is not asked where the device has no network, and nothing of that is kept", async () => {
    const kept = await askDomain("shop.example", { fetch: toServer, now: () => NOW, online: () => false });
    expect(kept.delegation).toMatchObject({ status: "missing", reason: /offline/ });
    expect(cachedDelegation(kept, HOST, NOW)).toBeNull();
    expect(asked).toEqual([]);
  });

  const json = { "content-type": "application/json" };
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      "lies about its name",
      (r) => r.writeHead(200, json).end(formatDelegation("a.example", [HOST])),
      /domain/,
    ],
    ["redirects", (r) => r.writeHead(302, { location: "/elsewhere" }).end(), /redirect/],
    ["knows no such file", (r) => r.writeHead(404, json).end(GOOD), /status 404/],
    [
      "shows a page instead",
      (r) => r.writeHead(200, { "content-type": "text/html" }).end(GOOD),
      /Content-Type/,
    ],
    ["sends something malformed", (r) => r.writeHead(200, json).end(`${GOOD},`), /not valid JSON/],
    ["hangs up", (r) => r.destroy(), /cannot be reached/],
    [
      "breaks off",
      (r) => r.writeHead(200, { ...json, "content-length": "999" }).write("{", () => r.destroy()),
      /./,
    ],
    [
      "never stops sending",
      (r) => {
        r.writeHead(200, json);
        const more = () => r.writable && r.write(" ".repeat(4096), () => setImmediate(more));
        more();
      },
      /larger than 8 KB/,
    ],
    ["sends one byte and then nothing", (r) => r.writeHead(200, json).write("{"), /within 3 seconds/],
    ["never answers", () => {}, /within 3 seconds/],
  ])(
    "comes to nothing where the domain %s: said why, within 3 s, and kept for 5 minutes",
    async (_, behave, why) => {
      answer = behave;
      const started = performance.now();
      const kept = await ask();
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(kept).toMatchObject({
        delegation: { reason: expect.stringMatching(why) },
        keptSeconds: 5 * MINUTE,
      });
      expect(asked).toHaveLength(1);
    },
  );

  test("asks nobody else: a redirect's target hears nothing", async () => {
    answer = (response) => response.writeHead(301, { location: "/.well-known/other" }).end();
    await ask();
    expect(asked.map(({ url }) => url)).toEqual(["/.well-known/svc-login"]);
  });
});

describe("what a domain said is kept", () => {
  test.each<[string | null, number]>([
    [null, 24 * HOUR],
    ["", 24 * HOUR],
    ["public", 24 * HOUR],
    ["s-maxage=60", 24 * HOUR],
    ["x-max-age=60", 24 * HOUR],
    ["max-age=3600", HOUR],
    ["Public, Max-Age = 7200 , immutable", 2 * HOUR],
    ['max-age="600"', 10 * MINUTE],
    ["max-age=0", 5 * MINUTE],
    ["max-age=299", 5 * MINUTE],
    ["max-age=301", 301],
    ["max-age=172800", 48 * HOUR],
    ["max-age=172801", 48 * HOUR],
    ["max-age=99999999999999999999999", 48 * HOUR],
    ["max-age=-1", 5 * MINUTE],
    ["max-age=soon", 5 * MINUTE],
    ["max-age=", 5 * MINUTE],
    ["max-age=1e9", 5 * MINUTE],
    ["max-age=7200, max-age=3600", HOUR],
    ["no-store", 5 * MINUTE],
    ["max-age=7200, no-cache", 5 * MINUTE],
    ['no-cache="x", max-age=7200', 5 * MINUTE],
  ])("with Cache-Control %j for %i seconds", (header, seconds) => {
    expect(lifetime(header)).toBe(seconds);
  });

  const kept: KeptDelegation = {
    domain: "shop.example",
    delegation: { status: "ok", hosts: [HOST, "second.svc.example"] },
    askedAt: NOW,
    keptSeconds: 2 * HOUR,
  };

  test("until its time is over, and not before it began by a clock that was set back", () => {
    for (const host of [HOST, "second.svc.example"]) {
      expect(cachedDelegation(kept, host, NOW)).toBe(kept.delegation);
      expect(cachedDelegation(kept, host, NOW + 2 * HOUR - 1)).toBe(kept.delegation);
      expect(cachedDelegation(kept, host, NOW + 2 * HOUR)).toBeNull();
      expect(cachedDelegation(kept, host, NOW - 1)).toBeNull();
    }
    expect(cachedDelegation(undefined, HOST, NOW)).toBeNull();
  });

  test("five minutes where it does not name the host, so that a site that moves is not refused for a day", () => {
    for (const host of ["new.svc.example", "svc.example", `www.${HOST}`]) {
      expect(cachedDelegation(kept, host, NOW + 5 * MINUTE - 1)).toBe(kept.delegation);
      expect(cachedDelegation(kept, host, NOW + 5 * MINUTE)).toBeNull();
    }
  });

  test("as the answer says", async () => {
    answer = (response) =>
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "public, max-age=900" })
        .end(GOOD);
    expect(await ask()).toMatchObject({ keptSeconds: 900 });
    answer = (response) => response.writeHead(404, { "cache-control": "max-age=86400" }).end();
    expect(await ask()).toMatchObject({ keptSeconds: 5 * MINUTE });
  });
});
