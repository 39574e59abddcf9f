import { posix } from "node:path";
import type { Rules } from "../check.ts";
import { expectRefused, expectStatus } from "../expect-status.ts";
import { type Bodies, endsStalledBodies, refusesBodies, wrongBodies } from "../flow/responses.ts";
import { Wallet } from "../flow/wallet.ts";
import type { Answer } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import type { Site } from "./site.ts";

/** Section 2.2: the answer to hostile input is a 4xx. */

/** A response with two bytes in a text that are not UTF-8. */
function withInvalidUtf8(response: string): Buffer {
  const [before = "", after = ""] = response.split(/(?<="platform":")/);
  return Buffer.concat([Buffer.from(before), Buffer.of(0xff, 0xfe), Buffer.from(after)]);
}

const refuses = (statuses: readonly number[], bodiesOf: (response: string) => Bodies) =>
  refusesBodies(({ challenge }) => bodiesOf(JSON.stringify(new Wallet().response(challenge))), statuses);

function expectRefusedInFront({ run }: Site, answer: Answer, what: string): void {
  const isNext = run.answers.some(({ answer: { headers } }) => headers.vary?.includes("next-router"));
  const isOwn = isNext && answer.status >= 500 && answer.headers["x-request-id"] === undefined;
  const reason =
    " This is Next's own answer, before any code of the site runs: no page or handler can change it.";
  expectRefused(answer, what, isOwn ? reason : "");
}

export const HOSTILE_INPUT_CHECKS = {
  "2.2-no-json": refuses([400], wrongBodies.noJson),
  "2.2-text": refuses([400, 406, 408], (response) => [
    ["invalid UTF-8", withInvalidUtf8(response)],
    ["NUL in the challenge", response.replace("svc:", "svc:\\u0000")],
    ["a lone surrogate in the challenge", response.replace("svc:", "svc:\\ud800")],
    ["NUL in the key", response.replace('"public_key":"', '"public_key":"\\u0000')],
    ["NUL in device_info", response.replace('"platform":"', '"platform":"\\u0000')],
    ["a lone surrogate in device_info", response.replace('"platform":"', '"platform":"\\ud800')],
  ]),
  "2.2-nesting": refuses([400], wrongBodies.nesting),
  "2.2-prototype": refuses([400], wrongBodies.prototype),
  "2.2-body-size": refuses([413], wrongBodies.size),
  "2.2-content-encoding": refuses([415], wrongBodies.encoding),
  async "2.2-query-twice"(site) {
    const { qr, check } = site.target;
    for (const path of [`${qr}?mode=login&mode=register`, `${check}?sid=a&sid=b`])
      expectStatus(await site.http.send({ path }), 400, path);
  },
  async "2.2-query-fields"(site) {
    const fields = Array.from({ length: 65 }, (_, index) => `f${index}=1`).join("&");
    const path = `${site.target.qr}?mode=login&${fields}`;
    expectStatus(await site.http.send({ path, hostile: true }), 400, "66 fields");
  },
  async "2.2-target"(site) {
    const path = `${site.target.check}?sid=${"a".repeat(4_100)}`;
    expectStatus(await site.http.send({ path, hostile: true }), 414, "a target of more than 4,100 bytes");
  },
  async "2.2-headers"(site) {
    const headers = { "X-Large": "a".repeat(17 * 1024) };
    const answer = await site.http.send({ path: site.target.qr, headers, hostile: true });
    expectStatus(answer, 431, "17 KB of headers");
  },
  async "2.2-percent-encoding"(site) {
    for (const text of ["%E0%A4%A", "%", "%00", "%ff%fe"]) {
      const path = `${site.target.check}?sid=${text}`;
      expectRefused(await site.http.send({ path, hostile: true }), `the query sid=${text}`);
    }
  },
  async "2.2-percent-path"(site) {
    const path = posix.join(posix.dirname(site.target.check), "%E0%A4%A");
    const answer = await site.http.send({ path, hostile: true });
    expectRefusedInFront(site, answer, "a path with broken percent-encoding");
  },
  async "2.2-odd-methods"(site) {
    for (const method of ["TRACE", "PROPFIND"]) {
      const answer = await site.http.send({ method, path: site.target.check, hostile: true });
      expectRefusedInFront(site, answer, method);
    }
  },
  async "2.2-strange-cookies"(site) {
    const name = (await site.issue()).answer.cookies[0]?.name ?? "svc-browser";
    for (const value of ["%00", "%E0%A4%A", "a".repeat(3_000)]) {
      const headers = { Cookie: `${name}=${value}` };
      const answer = await site.http.send({ path: `${site.target.qr}?mode=login`, headers });
      expectStatus(answer, 200, `the cookie ${value.slice(0, 20)}`);
    }
  },
  async "2.2-strange-sids"(site) {
    for (const sid of ["%00", "%ED%A0%80", "'%20OR%201=1", "__proto__"]) {
      const answer = await site.http.send({ path: `${site.target.qr}?mode=login&sid=${sid}` });
      expectStatus(answer, [200, 400], `the sid ${sid}`);
    }
  },
  "2.2-stalled-body": endsStalledBodies('{"public_key":', "application/json"),
} satisfies Rules<Site, SiteId>;
