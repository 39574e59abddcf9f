import { Blocked } from "../check.ts";
import type { Action, Code, Run, Site } from "./site.ts";

/** The codes that a run was given, and what stands in them. */

/** Of so many random texts something repeats where anything repeats. */
export const SAMPLES = 20;
const ACTIONS: readonly Action[] = ["login", "register"];

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

/** Every code that the run was given; where it was given none, one of each action. */
export async function givenCodes(site: Site): Promise<Run["codes"]> {
  for (const action of ACTIONS) {
    if (!site.run.codes.some((code) => code.action === action)) await site.issue(site.browser(), action);
  }
  return site.run.codes;
}

/** As many codes as it takes to see what repeats: those of the whole run, and some of its own. */
export async function manyCodes(site: Site): Promise<Code[]> {
  while (site.run.codes.length < SAMPLES) await site.issue(site.browser());
  return site.run.codes;
}
