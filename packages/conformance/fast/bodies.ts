import { HTML } from "../browser.ts";
import { fail, type Rules } from "../check.ts";
import { expectRefused, expectStatus } from "../expect-status.ts";
import { endsStalledBodies, refusesBodies } from "../flow/responses.ts";
import type { Answer } from "../http-client.ts";
import { BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { type FastCode, type FastSite, FORM } from "./site.ts";

/** Section 6.2: the shapes in which a response may come, and queries and bodies that are not responses. */

const BOUNDARY = "----conformance-kit";
const MULTIPART = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };

const nested = (depth: number) => `${'{"data":'.repeat(depth)}1${"}".repeat(depth)}`;

function multipart(fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

type Send = (site: FastSite, code: FastCode, fields: Fields) => Promise<Answer>;

/** A correct response signs in however it is sent. */
function acceptsShapes(shapes: Record<string, Send>) {
  return async (site: FastSite): Promise<void> => {
    for (const [what, send] of Object.entries(shapes)) {
      const code = await site.issue();
      expectStatus(await send(site, code, new BitcoinWallet().fields(code.qr)), 200, what);
      if (!(await site.isAnswered(code.sid))) fail(`${what}: the login has no address afterwards.`);
    }
  };
}

/** Posts to where a code leads. */
const post =
  (bodyOf: (fields: Fields) => unknown, headers?: Record<string, string>): Send =>
  (site, code, fields) =>
    site.post(site.webhookOf(code), bodyOf(fields), headers);

export const FAST_BODY_CHECKS: Rules<FastSite> = {
  "6.2-json": {
    proves: "A response may come as JSON below `data`, with `pubk` or without it.",
    cause: "The fields are looked for at the top, or `pubk` is required.",
    run: acceptsShapes({
      "JSON with pubk": post((data) => ({ data })),
      "JSON without pubk": post(({ pubk: _, ...data }) => ({ data })),
    }),
  },
  "6.2-json-any-type": {
    proves: "Where the form has no `msg`, the JSON is read whatever the content type says.",
    cause: "The framework's parser goes by the content type alone.",
    run: acceptsShapes({
      "JSON that is called a form": post((data) => ({ data }), FORM),
      "JSON that is called text": post((data) => ({ data }), { "Content-Type": "text/plain" }),
    }),
  },
  "6.2-multipart": {
    proves: "A response may come as a multipart form.",
    cause: "Only urlencoded forms are read.",
    run: acceptsShapes({ "a multipart form": post(multipart, MULTIPART) }),
  },
  "6.2-get": {
    proves: "A GET may carry the response in its query.",
    cause: "The webhook answers POST alone.",
    run: acceptsShapes({
      "the query of a GET": (site, code, fields) =>
        site.ask("GET", `${site.webhookOf(code)}&${new URLSearchParams(fields)}`),
    }),
  },
  "6.2-get-page": {
    level: "SHOULD",
    proves: "A browser that opens a code gets a page that explains it, and nobody is signed in by that.",
    cause: "A phone's own camera opens the code and meets an error.",
    async run(site) {
      const code = await site.issue();
      const { status, headers } = await site.http.send({ path: site.webhookOf(code), headers: HTML });
      if (await site.isAnswered(code.sid)) fail("Opening the code has answered the login.");
      const type = headers["content-type"] ?? "of no type";
      if (status !== 200 || !/^text\/html\b/.test(type)) fail(`A browser is answered ${status}, ${type}.`);
    },
  },
  "6.2-query-fields": {
    proves: "A POST is judged by its body: fields in its query are not taken for those that the body lacks.",
    cause: "Query and body are merged, so that a link carries half of a response.",
    async run(site) {
      const code = await site.issue();
      const fields = new URLSearchParams(new BitcoinWallet().fields(code.qr));
      const answer = await site.post(`${site.webhookOf(code)}&${fields}`, "", FORM);
      expectStatus(answer, 401, "a POST without a body and a query with all fields");
    },
  },
  "6.2-query-twice": {
    proves: "A query that names a challenge or a sid twice is refused.",
    cause: "One of the two is looked up, and the other is compared with the message.",
    async run(site) {
      const code = await site.issue();
      const other = await site.issue();
      const fields = new BitcoinWallet().fields(code.qr);
      const right = site.webhookOf(code);
      for (const [what, more] of [
        ["two challenges", `c=${other.challenge}`],
        ["two sids", `sid=${other.sid}`],
      ] as const) {
        for (const path of [`${right}&${more}`, right.replace("?", `?${more}&`)])
          expectRefused(await site.postForm(path, fields), what);
      }
    },
  },
  "6.2-body-json": {
    proves: "A body that is neither a form nor JSON with `data` signs nobody in.",
    cause: "The exception of `JSON.parse` is not caught, or `null` is read as an object.",
    run: refusesBodies([
      ["an empty body", ""],
      ["JSON that is cut short", '{"data":{"msg":"x"'],
      ["null", "null"],
      ["data that is null", '{"data":null}'],
      ["a multipart form without its end", `--${BOUNDARY}`, MULTIPART],
    ]),
  },
  "6.2-body-types": {
    proves: "Fields that are no texts are refused, and break nothing.",
    cause: "A method of a text is called on a number, or an object reaches the database's query.",
    run: refusesBodies([
      ["numbers", '{"data":{"msg":1,"sig":2,"addr":3,"pubk":4}}'],
      ["objects", '{"data":{"msg":{"$ne":""},"sig":{},"addr":{"$gt":""}}}'],
      ["prototype keys", '{"__proto__":{"data":{"msg":"x","sig":"x","addr":"x"}}}'],
    ]),
  },
  "6.2-body-text": {
    proves: "Invalid UTF-8, NUL, lone surrogates and deep nesting are refused, and break nothing.",
    cause: "The text reaches the database, which cannot hold it, or a recursive parser.",
    run: refusesBodies([
      ["bytes that are no UTF-8", Buffer.of(0x7b, 0xff, 0xfe, 0x7d)],
      ["NUL", "msg=%00&sig=%00&addr=%00", FORM],
      ["broken percent-encoding", "msg=%&sig=%E0%A4%A&addr=x", FORM],
      ["a lone surrogate", '{"data":{"msg":"\\ud800","sig":"x","addr":"x"}}'],
      ["deep nesting", nested(5_000)],
    ]),
  },
  "6.2-body-size": {
    proves: "A body over 64 KB is refused with 413.",
    cause: "The framework's default of a megabyte, or the size is looked at only in `Content-Length`.",
    async run(site) {
      const code = await site.issue();
      const fields = { ...new BitcoinWallet().fields(code.qr), more: "a".repeat(70 * 1024) };
      const body = new URLSearchParams(fields).toString();
      const answer = await site.post(site.webhookOf(code), body, FORM, { hostile: true });
      expectStatus(answer, 413, "a body of 70 KB");
    },
  },
  "6.2-stalled-body": endsStalledBodies("msg=", FORM["Content-Type"]),
};
