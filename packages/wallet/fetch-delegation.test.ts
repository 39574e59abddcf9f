import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Behaviour, type Receiver, startReceiver } from "../../tools/kit/receiver.ts";
import { formatDelegation } from "./delegation-file.ts";
import {
  type CachedDelegation,
  fetchDelegation,
  parseCacheLifetime,
  readCachedDelegation,
} from "./fetch-delegation.ts";
import { NOW } from "./payload.fixture.ts";

const HOST = "api.svc.example";
const GOOD = formatDelegation("shop.localhost", [HOST]);
const MINUTE = 60;
const HOUR = 3600;
const json = { "content-type": "application/json" };

let site: Receiver;
let answer: Behaviour;
beforeAll(async () => {
  site = await startReceiver("127.0.0.1", 0, (...request) => answer(...request));
});
beforeEach(() => {
  site.received.length = 0;
  answer = (response) => response.writeHead(200, json).end(GOOD);
});
afterAll(() => site.close());

const toServer: typeof fetch = (url, init) =>
  fetch(String(url).replace("http://shop.localhost", site.url), init);
const ask = () => fetchDelegation("shop.localhost", { fetch: toServer, now: () => NOW });

describe("the request for a delegation", () => {
  test("is a GET without cookies, credentials or referrer", async () => {
    expect(await ask()).toEqual({
      domain: "shop.localhost",
      delegation: { status: "ok", hosts: [HOST] },
      askedAt: NOW,
      keptSeconds: 24 * HOUR,
    });
    expect(site.received).toMatchObject([{ method: "GET", path: "/.well-known/svc-login" }]);
    for (const name of ["cookie", "authorization", "referer", "origin"])
      expect(site.received[0]?.headers).not.toHaveProperty(name);
  });

  test("sends no cookies in a browser and does not follow redirects", async () => {
    const fetch = vi.fn(async () => Response.json({}));
    await fetchDelegation("shop.example", { fetch });
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

  test("is not sent while the device is offline", async () => {
    const cached = await fetchDelegation("shop.example", {
      fetch: toServer,
      now: () => NOW,
      online: () => false,
    });
    expect(cached.delegation).toMatchObject({ status: "missing", reason: /offline/ });
    expect(readCachedDelegation(cached, HOST, NOW)).toBeNull();
    expect(site.received).toEqual([]);
  });

  const sends = (body: string, status = 200, headers: Record<string, string> = json): Behaviour => {
    return (response) => response.writeHead(status, headers).end(body);
  };
  const endless: Behaviour = (response) => {
    response.writeHead(200, json);
    // `writable` stays true after the client has closed the connection, so `destroyed` is checked.
    const more = () => response.destroyed || response.write(" ".repeat(4096), () => setImmediate(more));
    more();
  };
  const breaksOff: Behaviour = (response) =>
    response.writeHead(200, { ...json, "content-length": "999" }).write("{", () => response.destroy());
  test.each<[string, Behaviour, RegExp]>([
    ["names another domain", sends(formatDelegation("a.example", [HOST])), /domain/],
    ["redirects", sends("", 302, { location: "/elsewhere" }), /redirect/],
    ["answers 404", sends(GOOD, 404), /status 404/],
    ["sends an HTML page", sends(GOOD, 200, { "content-type": "text/html" }), /Content-Type/],
    ["sends malformed JSON", sends(`${GOOD},`), /not valid JSON/],
    ["closes the connection", (response) => response.destroy(), /cannot be reached/],
    ["breaks off during the body", breaksOff, /./],
    ["never stops sending", endless, /larger than 8 KB/],
    ["sends one byte and then nothing", (r) => r.writeHead(200, json).write("{"), /within 3 seconds/],
    ["never answers", () => {}, /within 3 seconds/],
  ])(
    "fails with a reason within 3 s if the domain does not respond correctly: it %s",
    async (_, behave, reason) => {
      answer = behave;
      const startedAt = performance.now();
      const cached = await ask();
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect(cached).toMatchObject({
        delegation: { reason: expect.stringMatching(reason) },
        keptSeconds: 5 * MINUTE,
      });
      expect(site.received.map(({ path }) => path)).toEqual(["/.well-known/svc-login"]);
    },
  );
});

describe("a delegation", () => {
  test.each<[number, (string | null)[]]>([
    [24 * HOUR, [null, "", "public", "s-maxage=60", "x-max-age=60"]],
    [HOUR, ["max-age=3600", "max-age=7200, max-age=3600"]],
    [2 * HOUR, ["Public, Max-Age = 7200 , immutable"]],
    [10 * MINUTE, ['max-age="600"']],
    [301, ["max-age=301"]],
    [5 * MINUTE, ["max-age=0", "max-age=299", "max-age=-1", "max-age=soon", "max-age=", "max-age=1e9"]],
    [5 * MINUTE, ["no-store", "max-age=7200, no-cache", 'no-cache="x", max-age=7200']],
    [48 * HOUR, ["max-age=172800", "max-age=172801", "max-age=99999999999999999999999"]],
  ])("is cached according to Cache-Control: %i seconds with %j", (seconds, headers) => {
    for (const header of headers) expect(parseCacheLifetime(header), String(header)).toBe(seconds);
  });

  test("is cached for 24 hours if its Cache-Control is longer than 1 KB", () => {
    const padded = (characters: number) => parseCacheLifetime("max-age=600".padEnd(characters, " ,"));
    expect(padded(1024)).toBe(10 * MINUTE);
    expect(padded(1025)).toBe(24 * HOUR);
  });

  const cached: CachedDelegation = {
    domain: "shop.example",
    delegation: { status: "ok", hosts: [HOST, "second.svc.example"] },
    askedAt: NOW,
    keptSeconds: 2 * HOUR,
  };

  test("is cached until it expires, or until the clock is set back", () => {
    for (const host of [HOST, "second.svc.example"]) {
      expect(readCachedDelegation(cached, host, NOW)).toBe(cached.delegation);
      expect(readCachedDelegation(cached, host, NOW + 2 * HOUR - 1)).toBe(cached.delegation);
      expect(readCachedDelegation(cached, host, NOW + 2 * HOUR)).toBeNull();
      expect(readCachedDelegation(cached, host, NOW - 1)).toBeNull();
    }
    expect(readCachedDelegation(undefined, HOST, NOW)).toBeNull();
  });

  test("is cached for only five minutes if it does not name the code's host", () => {
    for (const host of ["new.svc.example", "svc.example", `www.${HOST}`]) {
      expect(readCachedDelegation(cached, host, NOW + 5 * MINUTE - 1)).toBe(cached.delegation);
      expect(readCachedDelegation(cached, host, NOW + 5 * MINUTE)).toBeNull();
    }
  });

  test("is cached for as long as the response says", async () => {
    answer = (response) =>
      response.writeHead(200, { ...json, "cache-control": "public, max-age=900" }).end(GOOD);
    expect(await ask()).toMatchObject({ keptSeconds: 900 });
    answer = (response) => response.writeHead(404, { "cache-control": "max-age=86400" }).end();
    expect(await ask()).toMatchObject({ keptSeconds: 5 * MINUTE });
  });
});
