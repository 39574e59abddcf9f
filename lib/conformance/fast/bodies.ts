import { fail, type Rule } from "../check.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { expectAnswer, type FastSite, pathOf } from "./site.ts";

/** Section 6.2: what comes of queries and bodies that are none. */

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const BOUNDARY = "----conformance-kit";

/** A check that each of some bodies is answered in words, and signs nobody in. */
function refusesBodies(
  id: string,
  proves: string,
  cause: string,
  bodies: readonly (readonly [what: string, type: string, body: string | Uint8Array])[],
): Rule<FastSite> {
  return {
    ...{ id, proves, cause },
    async run(site) {
      const code = await site.issue();
      for (const [what, type, body] of bodies) {
        const answer = await site.post(pathOf(code), body, type);
        if (answer.status < 400 || answer.status >= 500)
          fail(`${what}: ${answer.name} answers ${answer.status}.`);
      }
      if (await site.isAnswered(code.sid)) fail("The login has an address though every body was refused.");
    },
  };
}

const nested = (depth: number) => `${'{"data":'.repeat(depth)}1${"}".repeat(depth)}`;

export const FAST_BODY_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-query-fields",
    proves: "A POST is judged by its body: fields in its query are not taken for those that the body lacks.",
    cause: "Query and body are merged, so that a link carries half of a response.",
    async run(site) {
      const code = await site.issue();
      const fields = new URLSearchParams(new BitcoinWallet().fields(code.qr));
      const answer = await site.post(`${pathOf(code)}&${fields}`, "", FORM);
      expectAnswer(answer, 401, "a POST without a body and a query with all fields");
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
      for (const [what, more] of [
        ["two challenges", `c=${other.challenge}`],
        ["two sids", `sid=${other.sid}`],
      ]) {
        for (const path of [`${pathOf(code)}&${more}`, pathOf(code).replace("?", `?${more}&`)]) {
          const answer = await site.postForm(path, wallet.fields(code.qr));
          if (answer.status < 400 || answer.status >= 500)
            fail(`${what}: ${answer.name} answers ${answer.status}.`);
        }
      }
    },
  },
  refusesBodies(
    "6.2-body-json",
    "A body that is neither a form nor JSON with `data` signs nobody in.",
    "The exception of `JSON.parse` is not caught, or `null` is read as an object.",
    [
      ["an empty body", JSON_TYPE, ""],
      ["JSON that is cut short", JSON_TYPE, '{"data":{"msg":"x"'],
      ["null", JSON_TYPE, "null"],
      ["data that is null", JSON_TYPE, '{"data":null}'],
      ["a multipart form without its end", `multipart/form-data; boundary=${BOUNDARY}`, `--${BOUNDARY}`],
    ],
  ),
  refusesBodies(
    "6.2-body-types",
    "Fields that are no texts are refused, and break nothing.",
    "A method of a text is called on a number, or an object reaches the database's query.",
    [
      ["numbers", JSON_TYPE, '{"data":{"msg":1,"sig":2,"addr":3,"pubk":4}}'],
      ["objects", JSON_TYPE, '{"data":{"msg":{"$ne":""},"sig":{},"addr":{"$gt":""}}}'],
      ["prototype keys", JSON_TYPE, '{"__proto__":{"data":{"msg":"x","sig":"x","addr":"x"}}}'],
    ],
  ),
  refusesBodies(
    "6.2-body-text",
    "Invalid UTF-8, NUL, lone surrogates and deep nesting are refused, and break nothing.",
    "The text reaches the database, which cannot hold it, or a recursive parser.",
    [
      ["bytes that are no UTF-8", JSON_TYPE, Buffer.of(0x7b, 0xff, 0xfe, 0x7d)],
      ["NUL", FORM, "msg=%00&sig=%00&addr=%00"],
      ["broken percent-encoding", FORM, "msg=%&sig=%E0%A4%A&addr=x"],
      ["a lone surrogate", JSON_TYPE, '{"data":{"msg":"\\ud800","sig":"x","addr":"x"}}'],
      ["deep nesting", JSON_TYPE, nested(5_000)],
    ],
  ),
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
      const answer = await site.post(pathOf(code), body.toString(), FORM, { hostile: true });
      if (answer.status !== 413) fail(`A body of 70 KB is answered ${answer.status} instead of 413.`);
    },
  },
  {
    id: "6.2-stalled-body",
    level: "SHOULD",
    proves: "A body that never arrives in full is answered with a 4xx after ten seconds.",
    cause: "Nothing ends a request that stalls, so a few idle connections use up the server.",
    waits: true,
    async run(site) {
      const code = await site.issue();
      const answer = await site.post(pathOf(code), "msg=", FORM, { hostile: true, stalls: true });
      if (answer.status < 400 || answer.status >= 500)
        fail(`A body that stalls is answered ${answer.status}.`);
    },
  },
];
