import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DELEGATION_LIMIT_BYTES,
  type Delegation,
  type DelegationResponse,
  delegationUrl,
  formatDelegation,
  parseDelegation,
} from "./delegation-file.ts";

const DOMAIN = "shop.example";
const HOST = "api.svc.example";
const GOOD = { domain: DOMAIN, webhook_hosts: [HOST] };

function readBytes(body: Uint8Array, answer: Partial<DelegationResponse> = {}): Delegation {
  return parseDelegation({ status: 200, contentType: "application/json", body, ...answer }, DOMAIN);
}

const readText = (text: string, answer?: Partial<DelegationResponse>) =>
  readBytes(new TextEncoder().encode(text), answer);
const readJson = (value: unknown) => readText(JSON.stringify(value));

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
const hostName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const otherMember = fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => !(name in GOOD) && !(name in {}));

describe("a delegation", () => {
  test("is read back unchanged for every domain and for one to five host names", () => {
    const hosts = fc.array(hostName, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(hostName, hosts, (domain, names) => {
        const body = new TextEncoder().encode(formatDelegation(domain, names));
        const answer = { status: 200, contentType: "application/json; charset=utf-8", body };
        expect(parseDelegation(answer, domain)).toEqual({ status: "ok", hosts: names });
        expect(parseDelegation(answer, `www.${domain}`)).toMatchObject({ status: "invalid" });
      }),
    );
  });

  test("can contain other JSON members of any type", () => {
    fc.assert(
      fc.property(
        fc.dictionary(otherMember, fc.jsonValue({ maxDepth: 2 })),
        fc.boolean(),
        (others, first) => {
          const text = JSON.stringify(first ? { ...others, ...GOOD } : { ...GOOD, ...others }, null, 1);
          fc.pre(!/\\u0000|\\ud[89a-f]|__proto__|constructor|prototype/i.test(text));
          expect(readText(text)).toEqual({ status: "ok", hosts: [HOST] });
        },
      ),
    );
  });

  test("is refused unless the response is a 200 with application/json", () => {
    const text = JSON.stringify(GOOD);
    for (const status of [201, 204, 206, 401, 404, 500, 0]) {
      expect(readText(text, { status })).toEqual({
        status: "missing",
        reason: `the answer has status ${status} instead of 200`,
      });
    }
    for (const status of [301, 302, 304, 307, 308]) {
      expect(readText(text, { status })).toMatchObject({ status: "invalid", reason: /redirect/ });
    }
    const types = [null, "", "text/plain", "text/html", "application/jsonx", "x/application/json"];
    for (const contentType of types)
      expect(readText(text, { contentType })).toMatchObject({ status: "invalid", reason: /Content-Type/ });
    expect(readText(text, { contentType: " Application/JSON ;charset=x" })).toMatchObject({ status: "ok" });
  });

  test("is refused if it is larger than 8 KB", () => {
    const padded = (bytes: number) => JSON.stringify(GOOD).padEnd(bytes, " ");
    expect(readText(padded(8192))).toMatchObject({ status: "ok" });
    expect(readText(padded(8193))).toEqual({ status: "invalid", reason: "the file is larger than 8 KB" });
    expect(DELEGATION_LIMIT_BYTES).toBe(8192);
  });

  test.each<[string, unknown, RegExp]>([
    ["no content", [], /not a JSON object/],
    ["null", null, /not a JSON object/],
    ["text", DOMAIN, /not a JSON object/],
    ["no domain", { webhook_hosts: [HOST] }, /"domain"/],
    ["another domain", { ...GOOD, domain: "www.shop.example" }, /"domain" is not shop\.example/],
    ["the domain in capitals", { ...GOOD, domain: "Shop.example" }, /"domain"/],
    ["the domain with a final dot", { ...GOOD, domain: "shop.example." }, /"domain"/],
    ["a list of domains", { ...GOOD, domain: [DOMAIN] }, /"domain"/],
    ["no hosts", { domain: DOMAIN }, /1 to 5/],
    ["an empty list", { ...GOOD, webhook_hosts: [] }, /1 to 5/],
    ["six hosts", { ...GOOD, webhook_hosts: Array(6).fill(HOST) }, /1 to 5/],
    ["a host instead of a list", { ...GOOD, webhook_hosts: HOST }, /1 to 5/],
    ["an object instead of a list", { ...GOOD, webhook_hosts: { 0: HOST, length: 1 } }, /1 to 5/],
    ...[
      ..."API.svc.example *.svc.example * api.svc.example:443 https://api.svc.example api.svc.example.".split(
        " ",
      ),
      ..."a@b.example .example a..example api_1.example bücher.example [::1] -a.example".split(" "),
      ...["", " a.example", "a.example\n", `${"a".repeat(64)}.example`, `${"a.".repeat(127)}example`],
    ].map((host): [string, unknown, RegExp] => [
      `the host ${JSON.stringify(host.slice(0, 30))}`,
      { ...GOOD, webhook_hosts: [HOST, host] },
      /other than host names/,
    ]),
    ["a number for a host", { ...GOOD, webhook_hosts: [HOST, 1] }, /other than host names/],
    ["null for a host", { ...GOOD, webhook_hosts: [null] }, /other than host names/],
    ["NUL", { ...GOOD, note: "a\0" }, /NUL/],
    ["a lone surrogate", { ...GOOD, note: ["\ud800"] }, /lone surrogate/],
    ["a name with NUL", { ...GOOD, "\0": 1 }, /NUL/],
  ])("is invalid if it contains anything unexpected: %s", (_, value, reason) => {
    expect(readJson(value)).toEqual({ status: "invalid", reason: expect.stringMatching(reason) });
  });

  const members = `"domain":"${DOMAIN}","webhook_hosts":["${HOST}"]`;
  test.each<[string, string, RegExp]>([
    ["a repeated domain", `{"domain":"evil.example",${members}}`, /two members with the same name/],
    ["repeated hosts", `{${members},"webhook_hosts":["evil.example"]}`, /two members/],
    ["one name in two spellings", `{${members},"\\u0064omain":"${DOMAIN}"}`, /two members/],
    ["a repeated name, deep inside", `{${members},"x":[{"a":{"b":1,"b" :2}}]}`, /two members/],
    ["__proto__", `{${members},"__proto__":{}}`, /__proto__/],
    ["__proto__ alone", `{"__proto__":{${members}}}`, /__proto__/],
    ["a nested constructor", `{${members},"x":{"constructor":1}}`, /constructor/],
    ["a byte order mark", `\ufeff{${members}}`, /byte order mark/],
    ["a comment", `{${members}} // hosts`, /not valid JSON/],
    ["a trailing comma", `{${members},}`, /not valid JSON/],
    ["two files", `{${members}}{${members}}`, /not valid JSON/],
    ["NUL at the end", `{${members}}\0`, /not valid JSON/],
    ["an empty file", "", /not valid JSON/],
    ["unclosed brackets", "[".repeat(8192), /not valid JSON/],
    ["an HTML page", "<!doctype html>", /not valid JSON/],
  ])("is invalid if it contains anything unexpected: %s", (_, text, reason) => {
    expect(readText(text)).toEqual({ status: "invalid", reason: expect.stringMatching(reason) });
  });

  test("is refused if the bytes are not UTF-8", () => {
    const text = new TextEncoder().encode(JSON.stringify({ ...GOOD, note: "x" }));
    const brokenText = text.map((byte) => (byte === 0x78 ? 0xff : byte));
    expect(readBytes(brokenText)).toMatchObject({ status: "invalid", reason: /not UTF-8/ });
    const utf16 = Buffer.from(JSON.stringify(GOOD), "utf16le");
    expect(readBytes(utf16)).toMatchObject({ status: "invalid" });
  });

  test("is parsed without throwing, whatever its bytes are, and only well-formed names are accepted", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
        const goodBytes = new TextEncoder().encode(JSON.stringify(GOOD));
        goodBytes[at % goodBytes.length] = byte;
        return goodBytes;
      }),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        const read = readBytes(body);
        if (read.status !== "ok") return void expect(read.reason).not.toBe("");
        expect(JSON.parse(new TextDecoder().decode(body)).domain).toBe(DOMAIN);
        for (const host of read.hosts) expect(new URL(`https://${host}/`).host).toBe(host);
      }),
      { numRuns: 3000 },
    );
  });

  test("is refused if a JSON object repeats a name", () => {
    const names = fc.uniqueArray(otherMember, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(names, fc.nat(), fc.boolean(), (all, pick, twice) => {
        const object = (list: string[]) => `{${list.map((name) => `${JSON.stringify(name)} : 1`).join(",")}}`;
        const again = [...all, ...(twice ? [all[pick % all.length] ?? ""] : [])];
        const text = `{${members},"x":[${object(all)},${object(again)}]}`;
        expect(readText(text).status).toBe(twice ? "invalid" : "ok");
      }),
    );
  });
});

test("requests a delegation over HTTPS, or over HTTP from a loopback host", () => {
  expect(delegationUrl(DOMAIN)).toBe("https://shop.example/.well-known/svc-login");
  expect(delegationUrl("shop.localhost")).toBe("http://shop.localhost/.well-known/svc-login");
  expect(delegationUrl("localhost.example")).toBe("https://localhost.example/.well-known/svc-login");
});
