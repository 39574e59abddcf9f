import { fail, type Rule } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { expectAnswer, type FastCode, type FastSite, pathOf } from "./site.ts";

/** Section 6.2: in which shapes a response may come. */

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
): Rule<FastSite> {
  return {
    ...{ id, proves, cause },
    async run(site) {
      for (const [what, send] of shapes) {
        const code = await site.issue();
        expectAnswer(await send(site, code, new BitcoinWallet().fields(code.qr)), 200, what);
        if (!(await site.isAnswered(code.sid))) fail(`${what}: the login has no address afterwards.`);
      }
    },
  };
}

export const FAST_SHAPE_CHECKS: readonly Rule<FastSite>[] = [
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
];
