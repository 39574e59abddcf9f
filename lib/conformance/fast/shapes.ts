import { fail, type Rule, type Said } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Answer } from "../http-client.ts";
import { BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { type FastCode, type FastSite, FORM } from "./site.ts";

/** Section 6.2: in which shapes a response may come. */

const BOUNDARY = "----conformance-kit";

type Send = (site: FastSite, code: FastCode, fields: Fields) => Promise<Answer>;

function multipart(fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** A correct response signs in however it is sent. */
function acceptsShapes({
  shapes,
  ...said
}: Said & { shapes: readonly (readonly [what: string, send: Send])[] }): Rule<FastSite> {
  return {
    ...said,
    async run(site) {
      for (const [what, send] of shapes) {
        const code = await site.issue();
        expectStatus(await send(site, code, new BitcoinWallet().fields(code.qr)), 200, what);
        if (!(await site.isAnswered(code.sid))) fail(`${what}: the login has no address afterwards.`);
      }
    },
  };
}

export const FAST_SHAPE_CHECKS: readonly Rule<FastSite>[] = [
  acceptsShapes({
    id: "6.2-json",
    proves: "A response may come as JSON below `data`, with `pubk` or without it.",
    cause: "The fields are looked for at the top, or `pubk` is required.",
    shapes: [
      ["JSON with pubk", (site, code, data) => site.post(site.webhookOf(code), { data })],
      ["JSON without pubk", (site, code, { pubk: _, ...data }) => site.post(site.webhookOf(code), { data })],
    ],
  }),
  acceptsShapes({
    id: "6.2-json-any-type",
    proves: "Where the form has no `msg`, the JSON is read whatever the content type says.",
    cause: "The framework's parser goes by the content type alone.",
    shapes: [
      ["JSON that is called a form", (site, code, data) => site.post(site.webhookOf(code), { data }, FORM)],
      [
        "JSON that is called text",
        (site, code, data) => site.post(site.webhookOf(code), { data }, { "Content-Type": "text/plain" }),
      ],
    ],
  }),
  acceptsShapes({
    id: "6.2-multipart",
    proves: "A response may come as a multipart form.",
    cause: "Only urlencoded forms are read.",
    shapes: [
      [
        "a multipart form",
        (site, code, fields) =>
          site.post(site.webhookOf(code), multipart(fields), {
            "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
          }),
      ],
    ],
  }),
  acceptsShapes({
    id: "6.2-get",
    proves: "A GET may carry the response in its query.",
    cause: "The webhook answers POST alone.",
    shapes: [
      [
        "the query of a GET",
        (site, code, fields) =>
          site.http.send({ path: `${site.webhookOf(code)}&${new URLSearchParams(fields)}` }),
      ],
    ],
  }),
  {
    id: "6.2-get-page",
    level: "SHOULD",
    proves: "A browser that opens a code gets a page that explains it, and nobody is signed in by that.",
    cause: "A phone's own camera opens the code and meets an error.",
    async run(site) {
      const code = await site.issue();
      const answer = await site.http.send({
        path: site.webhookOf(code),
        headers: { Accept: "text/html,*/*" },
      });
      if (await site.isAnswered(code.sid)) fail("Opening the code has answered the login.");
      if (answer.status !== 200 || !/^text\/html\b/.test(answer.headers["content-type"] ?? "")) {
        fail(`A browser is answered ${answer.status}, ${answer.headers["content-type"] ?? "of no type"}.`);
      }
    },
  },
];
