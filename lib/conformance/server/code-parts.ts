import { Blocked } from "../check.ts";
import type { Code } from "./site.ts";

/** What stands in a code. */

/** A challenge's parts, however they look; docs/protocol.md#11-challenge. */
export function partsOf({ challenge }: Pick<Code, "challenge">) {
  const [scheme = "", action = "", domain = "", timestamp = "", nonce = "", ...rest] = challenge.split(":");
  return { scheme, action, domain, timestamp, nonce, rest };
}

/** The payload's parameters by the names of the svc form; docs/protocol.md#12-qr-payload. */
export function readPayload({ body }: Code) {
  const { qr } = body;
  if (typeof qr !== "string" || !URL.canParse(qr))
    throw new Blocked("`qr` is no URL, so nothing can be read from it.");
  const url = new URL(qr);
  if (!/^(svc|https?):$/.test(url.protocol)) throw new Blocked(`\`qr\` has another scheme: ${url.protocol}`);
  const isSvc = url.protocol === "svc:";
  const query = url.searchParams;
  return {
    ...{ url, isSvc, query, text: qr },
    session: query.getAll(isSvc ? "session" : "s"),
    challenge: query.getAll(isSvc ? "challenge" : "c"),
    webhook: isSvc ? (query.get("webhook") ?? "") : url.origin + url.pathname,
  };
}
