import { ApiError } from "../http/api-error.ts";
import { jsonResponse, requireSid, textResponse } from "../http/call.ts";
import { readCodeIntent } from "../recovery/code-intent.ts";
import { bindingSetCookie, readBindingSecret } from "../server/cookies.ts";
import type { LoginCore } from "../server/core.ts";
import { isSecure } from "../server/core.ts";
import { hashSecret } from "../server/random.ts";
import type { RedeemableFlow } from "../server/redeem-login.ts";
import { currentSession } from "../server/session-token.ts";
import { type LoginKind, READ, type SiteCall } from "../site/answer-login.ts";
import type { Site } from "../site/site.ts";
import { redeemApprovals } from "../store/redeem-login.ts";
import { acceptFastResponse, type FastOutcome } from "./accept-fast-response.ts";
import { issueFastLogin } from "./issue-fast-login.ts";
import { FAST_WEBHOOK_PATH, type FastCheckAnswer, fastTokenTime } from "./protocol.ts";
import { readSignedMessage } from "./read-signed-message.ts";
import {
  hasFastAddress,
  isFastAddressUnknown,
  REDEEM_FAST_LOGIN,
  REDEEM_OR_REGISTER,
} from "./store/fast-session.ts";

/** The plain-text answers (docs/protocol.md#62-get-and-post-apifastauth). */
const ANSWERS: Record<FastOutcome, [status: number, text: string]> = {
  authenticated: [200, "successfully authenticated: go back to the browser"],
  no_challenge: [400, "no challenge found: scan the code that is on the screen now"],
  not_verified: [401, "could not verify the signature of this code for this address"],
};

/**
 * Fast login (docs/protocol.md#6-fast-login) beside a site's own.
 * @param registers whether an address without a user gets one at its first sign-in
 */
export function fastKind(site: Site, { registers }: { registers: boolean }): LoginKind {
  const route = { methods: READ, countedWithQuery: true, plainText: true } as const;
  return {
    routes: {
      "/api/getqrcode": { ...route, limit: "getqrcode", handle: (call) => issue(site, call, registers) },
      "/api/checkfast": { ...route, limit: "checkfast", handle: check },
      [FAST_WEBHOOK_PATH]: {
        ...{ ...route, methods: ["GET", "POST"], wallets: true, limit: "fastauth" },
        handle: respond,
      },
    },
    flows: { fast: fastLogins(registers) },
  };
}

/** A QR URL for this browser's fast login, or status 1 when its user is signed in (docs/protocol.md#61-get-apigetqrcode). */
async function issue(
  site: Site,
  { core, request, requestId, query }: SiteCall,
  registers: boolean,
): Promise<Response> {
  const { headers } = request;
  const { intent: asked } = query;
  const sid = query.sid && !["null", "undefined"].includes(query.sid) ? query.sid : null;
  // An address can be an account's new key where addresses get accounts by themselves.
  if (asked === "recover" && !registers) {
    throw new ApiError(
      "invalid_request",
      "An account cannot be recovered with an address here. Use a wallet.",
    );
  }
  const { addsKeys } = site;
  const intent =
    asked === undefined ? null : await readCodeIntent(site.core, { asked, action: null, headers, addsKeys });
  if (intent === null && (await currentSession(site.core, headers))) {
    return jsonResponse(200, { qr: "", sid: sid ?? "", status: 1 });
  }
  const own = readBindingSecret(headers.get("cookie"), isSecure(core));
  const { answer, secret } = await issueFastLogin(core, { requestId, sid, secret: own, intent });
  return jsonResponse(200, answer, { "Set-Cookie": bindingSetCookie(secret, isSecure(core)) });
}

/** 1 when a fast login has an address, else 0, for a sid that is none too (docs/protocol.md#63-get-apicheckfast). */
async function check({ core, query }: SiteCall): Promise<Response> {
  const sid = requireSid(query);
  const hasAddress = fastTokenTime(sid) !== null && (await hasFastAddress(core.database, sid));
  const answer: FastCheckAnswer = { sid, status: hasAddress ? 1 : 0 };
  return jsonResponse(200, answer);
}

/** A wallet response, by GET or POST. */
async function respond({ core, request, query, requestId }: SiteCall): Promise<Response> {
  const signed = await readSignedMessage(request, query);
  const [status, text] = ANSWERS[await acceptFastResponse(core, query, signed, { requestId })];
  return textResponse(status, text);
}

/** How fast logins are redeemed. @param registers whether an address without a user gets one */
export function fastLogins(registers: boolean): RedeemableFlow {
  return {
    flow: "fast",
    statement: registers ? REDEEM_OR_REGISTER : REDEEM_FAST_LOGIN,
    approvals: redeemApprovals("fast"),
  };
}

/** True when this browser's login has an address that no user has, so that it cannot be redeemed. */
export async function isUnregisteredFastLogin(
  { database }: LoginCore,
  sid: string,
  secret: string | null,
): Promise<boolean> {
  return secret !== null && isFastAddressUnknown(database, sid, hashSecret(secret));
}
