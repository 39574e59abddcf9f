import { type Check, fail } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { expectAnswer, type FastCode, type FastSite, pathOf } from "./site.ts";

/** Section 6.2: in which shapes a response may come, and what comes of bodies that are none. */

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const BOUNDARY = "----conformance-kit";

type Send = (site: FastSite, code: FastCode, fields: Fields) => Promise<Answer>;

function multipart(fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** A check that a correct response signs in however it is sent. */
function acceptsShapes(
  id: string,
  proves: string,
  cause: string,
  shapes: readonly (readonly [what: string, send: Send])[],
): Check<FastSite> {
  return {
    ...{ id, level: "MUST", proves, cause },
    async run(site) {
      for (const [what, send] of shapes) {
        const code = await site.issue();
        expectAnswer(await send(site, code, new BitcoinWallet().fields(code.qr)), 200, what);
        if (!(await site.isAnswered(code.sid))) fail(`${what}: the login has no address afterwards.`);
      }
    },
  };
}

/** A check that each of some bodies is answered in words, and signs nobody in. */
function refusesBodies(
  id: string,
  proves: string,
  cause: string,
  bodies: readonly (readonly [what: string, type: string, body: string | Uint8Array])[],
): Check<FastSite> {
  return {
    ...{ id, level: "MUST", proves, cause },
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

export const FAST_BODY_CHECKS: readonly Check<FastSite>[] = [
  acceptsShapes(
    "6.2-json",
    "A response may come as JSON below `data`, with `pubk` or without it.",
    "The fields are looked for at the top, or `pubk` is required.",
    [
      ["JSON with pubk", (site, code, data) => site.post(pathOf(code), JSON.stringify({ data }), JSON_TYPE)],
      [
        "JSON without pubk",
        (site, code, { pubk: _, ...data }) => site.post(pathOf(code), JSON.stringify({ data }), JSON_TYPE),
      ],
    ],
  ),
  acceptsShapes(
    "6.2-json-any-type",
    "Where the form has no `msg`, the JSON is read whatever the content type says.",
    "The framework's parser goes by the content type alone.",
    [
      [
        "JSON that is called a form",
        (site, code, data) => site.post(pathOf(code), JSON.stringify({ data }), FORM),
      ],
      [
        "JSON that is called text",
        (site, code, data) => site.post(pathOf(code), JSON.stringify({ data }), "text/plain"),
      ],
    ],
  ),
  acceptsShapes(
    "6.2-multipart",
    "A response may come as a multipart form.",
    "Only urlencoded forms are read.",
    [
      [
        "a multipart form",
        (site, code, fields) =>
          site.post(pathOf(code), multipart(fields), `multipart/form-data; boundary=${BOUNDARY}`),
      ],
    ],
  ),
  acceptsShapes("6.2-get", "A GET may carry the response in its query.", "The webhook answers POST alone.", [
    [
      "the query of a GET",
      (site, code, fields) => site.http.send({ path: `${pathOf(code)}&${new URLSearchParams(fields)}` }),
    ],
  ]),
  {
    id: "6.2-get-page",
    level: "SHOULD",
    proves: "A browser that opens a code gets a page that explains it, and nobody is signed in by that.",
    cause: "A phone's own camera opens the code and meets an error.",
    async run(site) {
      const code = await site.issue();
      const answer = await site.http.send({ path: pathOf(code), headers: { Accept: "text/html,*/*" } });
      if (await site.isAnswered(code.sid)) fail("Opening the code has answered the login.");
      if (answer.status !== 200 || !/^text\/html\b/.test(answer.headers["content-type"] ?? "")) {
        fail(`A browser is answered ${answer.status}, ${answer.headers["content-type"] ?? "of no type"}.`);
      }
    },
  },
  {
    id: "6.2-query-fields",
    level: "MUST",
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
    level: "MUST",
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
      ["an array", JSON_TYPE, "[]"],
      ["a multipart form without its end", `multipart/form-data; boundary=${BOUNDARY}`, `--${BOUNDARY}`],
      ["a multipart form without a boundary", "multipart/form-data", "--x"],
    ],
  ),
  refusesBodies(
    "6.2-body-types",
    "Fields that are no texts are refused, and break nothing.",
    "A method of a text is called on a number, or an object reaches the database's query.",
    [
      ["numbers", JSON_TYPE, '{"data":{"msg":1,"sig":2,"addr":3,"pubk":4}}'],
      ["objects", JSON_TYPE, '{"data":{"msg":{"$ne":""},"sig":{},"addr":{"$gt":""}}}'],
      ["lists", JSON_TYPE, '{"data":{"msg":["x"],"sig":["x"],"addr":["x"]}}'],
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
    level: "MUST",
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
