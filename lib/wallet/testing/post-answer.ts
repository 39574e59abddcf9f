import { purposeOf } from "../purpose.ts";
import { explainAnswer, readAnswer } from "../read-answer.ts";
import type { Payload } from "../read-payload.ts";

/** What a site answered to a wallet. */
export type Answer = {
  /** HTTP status: 200 when it accepted. */
  status: number;
  /** The error's code (docs/protocol.md#21-errors); "" when it accepted, and in fast login. */
  code: string;
  /** The site's own words; "" when it accepted. */
  message: string;
  /** What a wallet tells its user to do next. */
  advice: string;
};

/**
 * Posts an answer to a code's webhook, once: a test should see the failure that a wallet would try to get past.
 * @throws {Error} when nothing answers there
 */
export async function postAnswer(payload: Payload, contentType: string, body: string): Promise<Answer> {
  const url = payload.kind === "fast" ? payload.url : payload.webhook;
  const headers = { "content-type": contentType, accept: "application/json, text/plain;q=0.9" };
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual" }).catch((cause) => {
    throw new Error(`Nothing answers at the webhook of the code, ${url}. Is APP_URL where the site runs?`, {
      cause,
    });
  });
  const { status } = response;
  const { code, message } = await readAnswer(response, url);
  const accepted = status === 200;
  const advice = explainAnswer({
    ...{ status, code, purpose: purposeOf(payload), fast: payload.kind === "fast" },
    ...{ retryAfter: Number(response.headers.get("retry-after")) || null, unsure: false },
  });
  return { status, code: accepted ? "" : code, message: accepted ? "" : message, advice };
}
