import type { Rule } from "../check.ts";
import { expectRefused, expectStatus } from "../expect-status.ts";
import { endsStalledBodies, refusesBodies } from "../flow/responses.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { type FastSite, FORM } from "./site.ts";

/** Section 6.2: what comes of queries and bodies that are none. */

const BOUNDARY = "----conformance-kit";

const nested = (depth: number) => `${'{"data":'.repeat(depth)}1${"}".repeat(depth)}`;

export const FAST_BODY_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-query-fields",
    proves: "A POST is judged by its body: fields in its query are not taken for those that the body lacks.",
    cause: "Query and body are merged, so that a link carries half of a response.",
    async run(site) {
      const code = await site.issue();
      const fields = new URLSearchParams(new BitcoinWallet().fields(code.qr));
      const answer = await site.post(`${site.webhookOf(code)}&${fields}`, "", FORM);
      expectStatus(answer, 401, "a POST without a body and a query with all fields");
    },
  },
  {
    id: "6.2-query-twice",
    proves: "A query that names a challenge or a sid twice is refused.",
    cause: "One of the two is looked up, and the other is compared with the message.",
    async run(site) {
      const code = await site.issue();
      const other = await site.issue();
      const wallet = new BitcoinWallet();
      const right = site.webhookOf(code);
      for (const [what, more] of [
        ["two challenges", `c=${other.challenge}`],
        ["two sids", `sid=${other.sid}`],
      ]) {
        for (const path of [`${right}&${more}`, right.replace("?", `?${more}&`)]) {
          const answer = await site.postForm(path, wallet.fields(code.qr));
          expectRefused(answer, `${what}`);
        }
      }
    },
  },
  {
    id: "6.2-body-json",
    proves: "A body that is neither a form nor JSON with `data` signs nobody in.",
    cause: "The exception of `JSON.parse` is not caught, or `null` is read as an object.",
    run: (site) =>
      refusesBodies(site, () => [
        ["an empty body", ""],
        ["JSON that is cut short", '{"data":{"msg":"x"'],
        ["null", "null"],
        ["data that is null", '{"data":null}'],
        [
          "a multipart form without its end",
          `--${BOUNDARY}`,
          { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
        ],
      ]),
  },
  {
    id: "6.2-body-types",
    proves: "Fields that are no texts are refused, and break nothing.",
    cause: "A method of a text is called on a number, or an object reaches the database's query.",
    run: (site) =>
      refusesBodies(site, () => [
        ["numbers", '{"data":{"msg":1,"sig":2,"addr":3,"pubk":4}}'],
        ["objects", '{"data":{"msg":{"$ne":""},"sig":{},"addr":{"$gt":""}}}'],
        ["prototype keys", '{"__proto__":{"data":{"msg":"x","sig":"x","addr":"x"}}}'],
      ]),
  },
  {
    id: "6.2-body-text",
    proves: "Invalid UTF-8, NUL, lone surrogates and deep nesting are refused, and break nothing.",
    cause: "The text reaches the database, which cannot hold it, or a recursive parser.",
    run: (site) =>
      refusesBodies(site, () => [
        ["bytes that are no UTF-8", Buffer.of(0x7b, 0xff, 0xfe, 0x7d)],
        ["NUL", "msg=%00&sig=%00&addr=%00", FORM],
        ["broken percent-encoding", "msg=%&sig=%E0%A4%A&addr=x", FORM],
        ["a lone surrogate", '{"data":{"msg":"\\ud800","sig":"x","addr":"x"}}'],
        ["deep nesting", nested(5_000)],
      ]),
  },
  {
    id: "6.2-body-size",
    proves: "A body over 64 KB is refused with 413.",
    cause: "The framework's default of a megabyte, or the size is looked at only in `Content-Length`.",
    async run(site) {
      const code = await site.issue();
      const body = new URLSearchParams({
        ...new BitcoinWallet().fields(code.qr),
        more: "a".repeat(70 * 1024),
      });
      const answer = await site.post(site.webhookOf(code), body.toString(), FORM, { hostile: true });
      expectStatus(answer, 413, "a body of 70 KB");
    },
  },
  {
    id: "6.2-stalled-body",
    level: "SHOULD",
    proves: "A body that never arrives in full is answered with a 4xx after ten seconds.",
    cause: "Nothing ends a request that stalls, so a few idle connections use up the server.",
    waits: true,
    run: (site) => endsStalledBodies(site, "msg=", FORM["Content-Type"]),
  },
];
