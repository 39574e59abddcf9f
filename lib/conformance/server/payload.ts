import { fail, NotApplicable, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { ofEveryCode } from "../flow/codes.ts";
import { partsOf, readPayload } from "./code-parts.ts";
import type { Site } from "./site.ts";

/** Section 1.2: what stands in the QR code. */

export const PAYLOAD_CHECKS: readonly Rule<Site>[] = [
  ofEveryCode<Site>({
    id: "1.2-payload",
    proves: "`qr` is `svc://auth?…` or the https form, names no parameter twice, and carries no secret.",
    cause: "The payload is put together by hand, or holds the binding cookie's secret.",
    judge(code) {
      const { qr } = code.body;
      if (typeof qr !== "string" || !URL.canParse(qr))
        fail(`\`qr\` is ${JSON.stringify(qr)} instead of svc://auth?… or an https URL.`);
      if (!/^(svc:\/\/auth\?|https?:)/.test(qr))
        fail(`\`qr\` is ${qr} instead of svc://auth?… or an https URL.`);
      const { query, text } = readPayload(code);
      if (!/^[!-~]{1,4096}$/.test(text) || text.includes("\\"))
        fail("`qr` has characters outside of visible ASCII.");
      const names = [...query.keys()];
      if (new Set(names).size < names.length) fail(`\`qr\` names a parameter twice: ${names.join(", ")}.`);
      for (const { name, value } of code.answer.cookies) {
        if (value.length >= 16 && decodeURIComponent(text).includes(value))
          fail(`\`qr\` holds the cookie ${name}.`);
      }
    },
  }),
  ofEveryCode<Site>({
    id: "1.2-payload-webhook",
    proves: "The payload's webhook is this site's own, for the action that was asked for.",
    cause:
      "`APP_URL` names another host or scheme than the one that people open, or both actions share a webhook.",
    judge(code, site) {
      const { action } = code;
      const { webhook } = readPayload(code);
      const expected = site.target.origin.origin + site.webhook(action);
      if (webhook !== expected) fail(`The webhook is ${JSON.stringify(webhook)} instead of ${expected}.`);
    },
  }),
  ofEveryCode<Site>({
    id: "1.2-payload-session",
    proves: "The payload's session is the `sid` of the answer.",
    cause: "An internal identifier is put into the payload.",
    judge(code) {
      const { session } = readPayload(code);
      if (session.length !== 1 || session[0] !== code.sid)
        fail(`The payload's session is ${session} instead of the answer's sid, ${code.sid}.`);
    },
  }),
  ofEveryCode<Site>({
    id: "1.2-payload-challenge",
    proves: "The payload's challenge is the `challenge` of the answer, to the letter.",
    cause: "The challenge is made twice, or encoded twice.",
    judge(code) {
      const { challenge } = readPayload(code);
      if (challenge.length !== 1 || challenge[0] !== code.challenge) {
        fail(`The payload's challenge is ${challenge} instead of the answer's, ${code.challenge}.`);
      }
    },
  }),
  ofEveryCode<Site>({
    id: "1.2-payload-ts",
    proves: "The payload's `ts` is the challenge's timestamp.",
    cause: "The clock is read twice, or `ts` is the end of the code's life.",
    judge(code) {
      const { isSvc, query } = readPayload(code);
      const ts = query.getAll("ts");
      if (!isSvc && ts.length === 0) throw new NotApplicable("The https form has no `ts`.");
      if (ts.length !== 1 || ts[0] !== partsOf(code).timestamp) {
        fail(
          `\`ts\` is ${JSON.stringify(ts)} instead of the challenge's timestamp, ${partsOf(code).timestamp}.`,
        );
      }
    },
  }),
  {
    id: "1.2-payload-page",
    proves: "A browser that opens a code of the https form gets a page that explains it.",
    cause: "The webhook answers POST alone, so a phone's own camera leads to an error.",
    async run(site) {
      const { isSvc, url } = readPayload(await site.issue());
      if (isSvc) throw new NotApplicable("Codes of this site have the svc form.");
      const answer = await site.http.send({
        path: url.pathname + url.search,
        headers: { Accept: "text/html" },
      });
      expectStatus(answer, 200, "the code's own URL");
      if (!answer.headers["content-type"]?.startsWith("text/html"))
        fail("The code's own URL answers with no page.");
    },
  },
];
