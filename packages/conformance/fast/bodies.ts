import { HTML } from "../browser.ts";
import { fail, type Rules } from "../check.ts";
import { expectStatus, expectType } from "../expect-status.ts";
import { closesStalledBodies, refusesBodies } from "../flow/responses.ts";
import type { Answer } from "../http-client.ts";
import type { FastId } from "../texts/fast.ts";
import { BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { accepts, type FastCode, type FastSite, FORM } from "./site.ts";

/** Section 6.2: the formats of a wallet's response, and the queries and bodies that a site must refuse. */

const BOUNDARY = "----conformance-kit";
const MULTIPART = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };

const nested = (depth: number) => `${'{"data":'.repeat(depth)}1${"}".repeat(depth)}`;

function multipart(fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

const post =
  (bodyOf: (fields: Fields) => unknown, headers?: Record<string, string>) =>
  (site: FastSite, code: FastCode): Promise<Answer> =>
    site.post(site.webhookOf(code), bodyOf(new BitcoinWallet().fields(code.qr)), headers);

export const FAST_BODY_CHECKS = {
  "6.2-json": accepts({
    "a JSON body with `pubk`": post((data) => ({ data })),
    "a JSON body without `pubk`": post(({ pubk: _, ...data }) => ({ data })),
  }),
  "6.2-json-any-type": accepts({
    "JSON with the content type of a form": post((data) => ({ data }), FORM),
    "JSON with the content type text/plain": post((data) => ({ data }), { "Content-Type": "text/plain" }),
  }),
  "6.2-multipart": accepts({ "a multipart form": post(multipart, MULTIPART) }),
  "6.2-get": accepts({
    "a response in the query of a GET": (site, code) => {
      const fields = new URLSearchParams(new BitcoinWallet().fields(code.qr));
      return site.ask("GET", `${site.webhookOf(code)}&${fields}`);
    },
  }),
  async "6.2-get-page"(site) {
    const code = await site.issue();
    const answer = await site.http.send({ path: site.webhookOf(code), headers: HTML });
    if (await site.isAnswered(code.sid)) fail("Opening the code in a browser answers the login.");
    expectStatus(answer, 200, "a browser that opens the code");
    expectType(answer, "text/html", "the page of a browser that opens the code");
  },
  async "6.2-query-fields"(site) {
    const code = await site.issue();
    const fields = new URLSearchParams(new BitcoinWallet().fields(code.qr));
    const answer = await site.post(`${site.webhookOf(code)}&${fields}`, "", FORM);
    expectStatus(answer, "a 4xx", "a POST with all fields in its query and an empty body");
  },
  async "6.2-query-twice"(site) {
    const code = await site.issue();
    const other = await site.issue();
    const fields = new BitcoinWallet().fields(code.qr);
    const correctBody = site.webhookOf(code);
    for (const [what, more] of [
      ["a query with two challenges", `c=${other.challenge}`],
      ["a query with two sids", `sid=${other.sid}`],
    ] as const) {
      for (const path of [`${correctBody}&${more}`, correctBody.replace("?", `?${more}&`)])
        expectStatus(await site.postForm(path, fields), "a 4xx", what);
    }
  },
  "6.2-body-json": refusesBodies([
    ["an empty body", ""],
    ["JSON that is cut off", '{"data":{"msg":"x"'],
    ["null as the body", "null"],
    ["JSON whose `data` is null", '{"data":null}'],
    ["a multipart form that is cut off", `--${BOUNDARY}`, MULTIPART],
  ]),
  "6.2-body-types": refusesBodies([
    ["JSON whose fields are numbers", '{"data":{"msg":1,"sig":2,"addr":3,"pubk":4}}'],
    ["JSON whose fields are objects", '{"data":{"msg":{"$ne":""},"sig":{},"addr":{"$gt":""}}}'],
    ["JSON with its fields in __proto__", '{"__proto__":{"data":{"msg":"x","sig":"x","addr":"x"}}}'],
  ]),
  "6.2-body-text": refusesBodies([
    ["a body that is not valid UTF-8", Buffer.of(0x7b, 0xff, 0xfe, 0x7d)],
    ["a form with NUL", "msg=%00&sig=%00&addr=%00", FORM],
    ["a form with invalid percent-encoding", "msg=%&sig=%E0%A4%A&addr=x", FORM],
    ["JSON with a lone surrogate", '{"data":{"msg":"\\ud800","sig":"x","addr":"x"}}'],
    ["JSON with 5,000 levels", nested(5_000)],
  ]),
  async "6.2-body-size"(site) {
    const code = await site.issue();
    const fields = { ...new BitcoinWallet().fields(code.qr), more: "a".repeat(70 * 1024) };
    const body = new URLSearchParams(fields).toString();
    const answer = await site.post(site.webhookOf(code), body, FORM, { hostile: true });
    expectStatus(answer, 413, "a body of 70 KB");
  },
  "6.2-stalled-body": closesStalledBodies("msg=", FORM["Content-Type"]),
} satisfies Rules<FastSite, FastId>;
