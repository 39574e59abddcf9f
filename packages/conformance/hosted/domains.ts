import { fail, type Rule, type Rules, skip, startsEarly } from "../check.ts";
import { expectCloseTo, expectEqual, expectMatch, expectMembers, expectStatus } from "../expect-status.ts";
import { bodyOf } from "../http-client.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, type Body, expectCode, expectInvalid } from "./api.ts";

/**
 * Sections 5.2, 5.4 and 5.5: what tenants can do with their domains, which URLs events can be sent to, and lists, which
 * are split into pages and begin with the newest item.
 */

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3}/i;
const HOUR_MS = 3600 * 1000;
const SOME_URL = "https://shop.example/events";

const NO_NAMES = [
  ...["", " ", "shop example", "shop_1.example", "-shop.example", "shop-.example", "shop..example"],
  ...[".shop.example", "https://shop.example", "shop.example:443", "shop.example/path", "a@shop.example"],
  ...["192.0.2.7", "0x7f.1", "2130706433", "[2001:db8::1]", "2001:db8::1", "*.shop.example", "*"],
  ...["com", "co.uk", "github.io", `${"a".repeat(64)}.example`, `${"a.".repeat(130)}example`, "xn--.example"],
];

/** @param make creates an item and returns the item's id */
function listCheck(name: "sessions" | "domains", make: (api: Api) => Promise<string>): Rule<Api> {
  return async (api) => {
    const createdNames: string[] = [];
    for (let count = 0; count < 3; count++) createdNames.unshift(await make(api));
    const listedNames: string[] = [];
    let cursor: unknown = null;
    for (let pages = 0; pages < 40 && createdNames.some((name) => !listedNames.includes(name)); pages++) {
      const page = await readPageOfTwo(api, name, cursor);
      listedNames.push(...page.ids);
      if (page.next === null) break;
      cursor = page.next;
    }
    if (new Set(listedNames).size < listedNames.length) fail("The pages list an item twice.");
    const found = listedNames.filter((name) => createdNames.includes(name));
    if (found.length < createdNames.length)
      fail(`The pages list ${found.length} of ${createdNames.length} new items.`);
    if (found.join() !== createdNames.join()) fail("The items are not listed newest first.");
  };
}

async function readPageOfTwo(api: Api, name: string, cursor: unknown) {
  const query = `limit=2${cursor === null ? "" : `&cursor=${cursor}`}`;
  const answer = await api.call("GET", `/${name}?${query}`);
  expectStatus(answer, 200, `the list of ${name}`);
  const { [name]: items, next_cursor: next } = bodyOf(answer) as { [key: string]: unknown };
  if (!Array.isArray(items) || items.length > 2) fail(`A page of two is ${answer.text.slice(0, 200)}.`);
  return { ids: (items as Body[]).map((item) => String(item.id)), next };
}

const host = "hooks.shop.example";

/** @throws {CheckFailure} if the API accepts one of these URLs for a new or an existing domain */
const refuses =
  (urls: readonly string[]) =>
  async (api: Api): Promise<void> => {
    const existing = await api.registerDomain();
    const shown = (url: string) => JSON.stringify(url.slice(0, 80));
    for (const url of urls)
      expectInvalid(await api.askDomain(api.newName(), url), `the webhook URL ${shown(url)}`);
    for (const webhook_url of urls.slice(0, 3)) {
      const changed = await api.call("PATCH", `/domains/${existing.id}`, { webhook_url });
      expectInvalid(changed, `${shown(webhook_url)} for a domain`);
    }
  };

export const DOMAIN_CHECKS = {
  async "5.4-created"(api) {
    const { name, body, webhookUrl } = await api.registerDomain();
    expectMembers(body, { domain: name, verified: false, webhook_url: webhookUrl });
    const form = /^svc-verify=[A-Za-z0-9_-]{16,}$/;
    const wanted = "svc-verify= and 16 characters or more";
    expectMatch(body.verification_token, form, "`verification_token`", wanted);
    if (!SECRET.test(String(body.webhook_secret)))
      fail("`webhook_secret` is not whsec_ and 32 bytes in base64.");
  },
  async "5.4-own-secrets"(api) {
    const [one, other] = [await api.registerDomain(), await api.registerDomain()];
    if (one.secret === other.secret) fail("Two domains have the same webhook_secret.");
    if (one.body.verification_token === other.body.verification_token)
      fail("Two domains have the same token.");
  },
  async "5.4-shown-once"(api) {
    const { id, secret } = await api.registerDomain();
    for (const [method, path, body] of [
      ["GET", `/domains/${id}`, undefined],
      ["GET", "/domains?limit=100", undefined],
      ["PATCH", `/domains/${id}`, { webhook_url: "https://hooks.shop.example/events" }],
    ] as const) {
      const answer = await api.call(method, path, body);
      expectStatus(answer, 200, `${method} ${path}`);
      if (answer.text.includes(secret)) fail(`${method} ${path} shows the secret.`);
    }
  },
  async "5.4-twice"(api) {
    const { name, webhookUrl } = await api.registerDomain();
    for (const domain of [name, name.toUpperCase()])
      expectCode(
        await api.askDomain(domain, webhookUrl),
        409,
        "domain_already_registered",
        `${domain} again`,
      );
  },
  async "5.4-names"(api) {
    for (const domain of NO_NAMES) {
      const answer = await api.askDomain(domain, SOME_URL);
      expectInvalid(answer, `the domain ${JSON.stringify(domain.slice(0, 40))}`);
    }
  },
  async "5.4-ascii"(api) {
    const plain = api.newName();
    const { body } = await api.registerDomain(plain.toUpperCase(), `https://${plain}/events`);
    expectEqual(body.domain, plain, `The domain ${plain.toUpperCase()}`);
    const name = `ü${plain.slice(1, 13)}.example`;
    const { domain } = (await api.registerDomain(name, `https://${plain}/events`)).body;
    expectMatch(domain, /^xn--[a-z0-9-]+\.example$/, `The domain ${name}`, "its ASCII form");
  },
  async "5.4-test-names"(api) {
    await api.domain();
    const { key } = api.target;
    const answer = await api.askDomain(api.newName().replace(/example$/, "test"), SOME_URL);
    if (key.startsWith("svc_live_")) return expectStatus(answer, 400, "a live domain below .test");
    if (!key.startsWith("svc_test_")) skip("The key does not say its mode.");
    expectStatus(answer, 201, "a test domain below .test");
    if (bodyOf(answer).verified !== true) fail("The test domain is not verified.");
  },
  "5.4-proof": startsEarly(async (api) => {
    const { id, name } = await api.registerDomain();
    const answer = await api.call("POST", `/domains/${id}/verify`);
    expectCode(answer, 422, "domain_verification_failed", "a verification of a domain without a proof");
    const places = [`_svc-challenge.${name}`, "/.well-known/svc-challenge.txt"];
    if (!places.every((place) => answer.text.includes(place)))
      fail(`The refusal does not list the places that were checked: ${answer.text.slice(0, 300)}`);
    const address = ADDRESS.exec(answer.text)?.[0];
    if (address) fail(`The refusal names the address ${address}.`);
    const { verified } = bodyOf(await api.call("GET", `/domains/${id}`));
    expectEqual(verified, false, "Afterwards `verified`");
  }),
  async "5.4-changed"(api) {
    const { id, name } = await api.registerDomain();
    const webhook_url = `https://hooks.${name}/events`;
    const change = { webhook_url, verified: true, domain: "x.example" };
    expectStatus(await api.call("PATCH", `/domains/${id}`, change), 200, "a PATCH with another webhook URL");
    const now = bodyOf(await api.call("GET", `/domains/${id}`));
    expectMembers(now, { webhook_url, verified: false, domain: name }, (field) => `Afterwards \`${field}\``);
  },
  async "5.4-rotated"(api) {
    const { id, secret } = await api.registerDomain();
    const answer = await api.call("POST", `/domains/${id}/rotate-secret`);
    expectStatus(answer, 200, "a rotation of the secret");
    const { webhook_secret: next, previous_secret_expires_at: end } = bodyOf(answer);
    if (!SECRET.test(String(next))) fail("The new secret is not whsec_ and 32 bytes in base64.");
    if (next === secret) fail("The rotation returns the previous secret.");
    const left = Date.parse(String(end)) - answer.date;
    expectCloseTo(left / HOUR_MS, 24, 1 / 60, "The time until the previous secret ends, in hours,");
  },
  async "5.4-deleted"(api) {
    const { id, name } = await api.registerDomain();
    const session = api.recordSession(await api.create({ domain: name }), 201);
    expectStatus(await api.call("DELETE", `/domains/${id}`), 204, "a DELETE of a domain");
    expectCode(await api.call("GET", `/domains/${id}`), 404, "domain_not_found", "a deleted domain");
    expectCode(await api.read(session.id), 404, "session_not_found", "a deleted domain's session");
    expectStatus(await api.respond(session), 408, "a response to a session of a deleted domain");
    await api.registerDomain(name);
  },
  async "5.4-unknown"(api) {
    for (const id of ["dom_unknown", "1", "' OR 1=1 --"]) {
      for (const [method, body] of [
        ["GET", undefined],
        ["PATCH", { webhook_url: SOME_URL }],
        ["DELETE", undefined],
      ] as const) {
        const answer = await api.call(method, `/domains/${encodeURIComponent(id.toWellFormed())}`, body);
        expectCode(answer, 404, "domain_not_found", `a request for the domain ${id}`);
      }
    }
  },
  "5.5-form": refuses([
    ...[`https://user:secret@${host}/`, `https://${host}/#part`, `ftp://${host}/`, "", "events"],
    ...[`//${host}/`, `https:/${host}/`, "https://", "javascript:alert(1)", `https:\\\\${host}\\`],
    ...[`https://user@${host}/`, `https://${host}/ events`, `https://${host}/${"a".repeat(2_048)}`],
  ]),
  "5.5-port": refuses(
    ["25", "0", "65536", "port", "-1", "22", "6000", "10080"].map((port) => `https://${host}:${port}/`),
  ),
  "5.5-host": refuses(
    [
      ...["hooks..shop.example", "*.shop.example", `${"a".repeat(64)}.example`],
      ...[`${"a.".repeat(130)}example`, "-hooks.example", "xn--.example", "hooks_1.example"],
    ].map((name) => `https://${name}/`),
  ),
  "5.5-public-suffix": refuses(["https://co.uk/", "https://com/", "https://github.io/events"]),
  "5.5-inner-names": refuses(
    [
      ...["intranet", "db.internal", "kubernetes.default.svc", "printer.local", "x.onion"],
      ...["nas.home.arpa", "x.invalid", "pc.lan", "a.corp"],
    ].map((name) => `https://${name}/`),
  ),
  "5.5-addresses": refuses([
    ...["https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/", "https://[fd00::1]/"],
    ...["https://192.168.1.1/", "https://172.16.0.1/", "https://0xa9.0xfe.0xa9.0xfe/"],
    ...["https://2852039166/", "https://[::ffff:10.0.0.1]/", "https://[fe80::1]/"],
    ...["https://0.0.0.0/", "https://100.64.0.1/"],
  ]),
  "5.5-https": refuses([`http://${host}/events`, `HTTP://${host}/events`]),
  async "5.5-accepts"(api) {
    await api.domain();
    for (const url of [
      `https://${host}:8443/a/b?c=d`,
      "https://hooks.example.com/events",
      `https://${"a".repeat(63)}.example/`,
    ])
      expectStatus(await api.askDomain(api.newName(), url), 201, `the webhook URL ${url}`);
  },
  "5.2-list": listCheck("sessions", async (api) => (await api.session()).id),
  "5.4-list": listCheck("domains", async (api) => (await api.registerDomain()).id),
  async "5.2-list-query"(api) {
    for (const limit of ["0", "101", "-1", "1e1", "ten", "1.5"])
      expectInvalid(await api.call("GET", `/sessions?limit=${limit}`), `a list with limit=${limit}`);
    expectInvalid(await api.call("GET", "/sessions?cursor=x"), "a list with cursor=x");
  },
} satisfies Rules<Api, HostedId>;
