import { jsonResponse, textResponse } from "../../http/call.ts";
import { refusal } from "../../protocol/errors.ts";
import { unixSeconds } from "../../protocol/numbers.ts";
import { addedKeyPath } from "../../protocol/paths.ts";
import { createSessionCookie, currentSession } from "../../server/browser-session.ts";
import { createBindingCookie, readBindingSecret, readBrowserHash } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import {
  type CodeIntent,
  getWalletIntent,
  type IssuingFlow,
  issueChallenge,
} from "../../server/issue-login.ts";
import { generateNonce, generateSecret, hashSecret } from "../../server/random.ts";
import { getRedemptionFunction, type RedeemableFlow, redeemFromRequest } from "../../server/redeem-login.ts";
import { type RequestHeaders, requireSid } from "../../server/web-request.ts";
import { READ_METHODS } from "../../site/answer-login.ts";
import type { Plugin, Site, SiteCall } from "../../site/plugin.ts";
import { readCodeIntent } from "../../site/plugin.ts";
import type { SignInRedirect } from "../../site/sign-in.ts";
import { acceptFastResponse, type FastOutcome, readSignedMessage } from "./accept-fast-response.ts";
import {
  FAST_CHALLENGE_LIMIT,
  FAST_WEBHOOK_PATH,
  type FastCheckAnswer,
  type FastQrAnswer,
  formatFastToken,
  formatFastUrl,
  parseFastTokenTime,
} from "./protocol.ts";
import { hasFastAddress, isFastAddressUnknown } from "./store/fast-session.ts";

/** docs/protocol.md#62-get-and-post-apifastauth */
const ANSWERS: Record<FastOutcome, [status: number, text: string]> = {
  authenticated: [200, "successfully authenticated: go back to the browser"],
  no_challenge: [400, "no challenge found: scan the code that is on the screen now"],
  not_verified: [401, "could not verify the signature of this code for this address"],
};

declare module "../../site/options.ts" {
  interface PluginOptions {
    /** Whether an unknown address gets a user when it first signs in. The default is false. */
    registersAddresses?: boolean;
  }
}

/** The login with signed messages and Bitcoin addresses (docs/protocol.md#6-fast-login). */
export function fast(): Plugin<"fast"> {
  const route = { methods: READ_METHODS, plainText: true } as const;
  return {
    name: "fast",
    routes: (site) => ({
      "/api/getqrcode": { ...route, limit: "getqrcode", handle: (call) => issue(site, call) },
      "/api/checkfast": { ...route, limit: "checkfast", handle: check },
      [FAST_WEBHOOK_PATH]: {
        ...route,
        methods: ["GET", "POST"],
        wallets: true,
        limit: "fastauth",
        handle: respond,
      },
    }),
    flows: ({ options }) => ({ fast: fastLogins(options.registersAddresses ?? false) }),
  };
}

/** docs/protocol.md#61-get-apigetqrcode */
async function issue(site: Site, { core, request, requestId, query }: SiteCall): Promise<Response> {
  const { headers } = request;
  const { intent: intentName } = query;
  const sid = query.sid && !["null", "undefined"].includes(query.sid) ? query.sid : null;
  // An address can become an account's new key only on a site that creates accounts for addresses.
  if (intentName === "recover" && !site.options.registersAddresses) {
    throw refusal("invalid_request", "An account cannot be recovered with an address here. Use a wallet.");
  }
  const intent =
    intentName === undefined ? null : await readCodeIntent(site, intentName, { action: null, headers });
  if (intent === null && (await currentSession(site.core, headers))) {
    return jsonResponse(200, { qr: "", sid: sid ?? "", status: 1 });
  }
  return issueCode(core, { requestId, sid, intent }, headers);
}

/** A login session gets no new challenges once it has an address. */
const FLOW: IssuingFlow = {
  name: "fast",
  challengesKept: FAST_CHALLENGE_LIMIT,
  endsWhenAnswered: true,
};

/**
 * @param request.sid the session to continue. Ignored if it has ended or is not bound to this browser
 * @param request.intent null for a code that signs in
 */
async function issueCode(
  core: LoginCore,
  request: { requestId: string; sid: string | null; intent: CodeIntent | null },
  headers: RequestHeaders,
): Promise<Response> {
  const { requestId, intent } = request;
  const secret = readBindingSecret(headers.get("cookie"), core.origin);
  const now = core.now();
  const time = unixSeconds(now);
  const challenge = formatFastToken(generateNonce(), time);
  const newBrowserSecret = generateSecret();
  const { sid, keepsSecret, answered } = await issueChallenge(core.database, {
    ...{
      now,
      flow: FLOW,
      challenge,
      intent,
      sid: request.sid,
      newSid: formatFastToken(generateNonce(), time),
    },
    browserHash: secret ? hashSecret(secret) : null,
    newBrowserHash: hashSecret(newBrowserSecret),
    browser: { userAgent: null, network: null, knownBrowserHash: null },
  });
  if (!answered) core.onStep({ requestId, flow: "fast", sid, outcome: "issued" });
  const query = { sid, c: challenge, t: time.toString(16), intent: getWalletIntent(intent) };
  const answer: FastQrAnswer = answered
    ? { qr: "", sid, status: 1 }
    : { qr: formatFastUrl(core.origin.origin, query), sid, status: 0 };
  const currentSecret = keepsSecret && secret ? secret : newBrowserSecret;
  return jsonResponse(200, answer, { "Set-Cookie": createBindingCookie(currentSecret, core.origin) });
}

/**
 * Responds with status 1 once the fast login has an address, and otherwise with 0, even if the sid is unknown
 * (docs/protocol.md#63-get-apicheckfast).
 */
async function check({ core, query }: SiteCall): Promise<Response> {
  const sid = requireSid(query);
  const hasAddress = parseFastTokenTime(sid) !== null && (await hasFastAddress(core.database, sid));
  const answer: FastCheckAnswer = { sid, status: hasAddress ? 1 : 0 };
  return jsonResponse(200, answer);
}

async function respond({ core, request, query, requestId }: SiteCall): Promise<Response> {
  const message = await readSignedMessage(request, query);
  const [status, text] = ANSWERS[await acceptFastResponse(core, query, message, { requestId })];
  return textResponse(status, text);
}

/** @param registers whether to create a user for an address that has none */
function fastLogins(registers: boolean): RedeemableFlow {
  return { flow: "fast", logins: getRedemptionFunction("fast", registers) };
}

/**
 * Handles `/dashboard?sid=` (docs/protocol.md#64-get-dashboardsid), and removes the sid from the address bar. A browser
 * that is already signed in continues to the dashboard. Any other browser is redirected to /fast, which explains what
 * to do.
 */
export async function signInOnDashboard(
  core: LoginCore,
  { registers }: { registers: boolean },
  { sid, headers, requestId }: { sid: string; headers: RequestHeaders; requestId: string },
): Promise<SignInRedirect & { authenticated: boolean }> {
  const isFastSid = parseFastTokenTime(sid) !== null;
  const redemption = isFastSid
    ? await redeemFromRequest(core, fastLogins(registers), { sid, headers, requestId })
    : null;
  if (redemption === "unconfirmed")
    return { path: addedKeyPath(core, sid), setCookie: null, authenticated: true };
  if (redemption) {
    return {
      path: core.afterLogin,
      setCookie: await createSessionCookie(core, redemption),
      authenticated: true,
    };
  }
  if (await currentSession(core, headers)) {
    return { path: core.afterLogin, setCookie: null, authenticated: true };
  }
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  const isUnregistered =
    isFastSid &&
    !registers &&
    browserHash !== null &&
    (await isFastAddressUnknown(core.database, sid, browserHash));
  const problem = isUnregistered ? "unregistered" : "not-signed-in";
  return { path: `/fast?problem=${problem}`, setCookie: null, authenticated: false };
}
