import { parsePublicKey } from "../crypto/public-key.ts";
import { computeStatementDeadline, type Database, retryOnConflict } from "../database/database.ts";
import { callSqlFunction, type RequestCounter, sqlFunction } from "../database/sql-function.ts";
import { browserName } from "../protocol/browser-name.ts";
import type { Action } from "../protocol/challenge.ts";
import { refusal } from "../protocol/errors.ts";
import type { DeviceInfo, ResponseAnswer, WalletResponse } from "../protocol/messages.ts";
import { addSeconds, CHALLENGE_LIFETIME_SECONDS, DEVICE_INFO_LIMIT_BYTES } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import {
  checkResponse,
  isIntentMismatch,
  refuseResponse,
  refuseUnknownChallenge,
  type StoredChallenge,
  verifySigner,
} from "./check-response.ts";
import type { LoginCore } from "./core.ts";
import { isSiteChallenge } from "./describe-code.ts";
import { generateRandomToken, hashSecret } from "./random.ts";
import { createUndoUrl } from "./undo-login.ts";
import { truncateToBytes } from "./web-request.ts";

/**
 * Follows the order of docs/protocol.md#32-post-webhooklogin-post-webhookregister. Verifies the signature first, so
 * that a single statement can find and spend the challenge.
 * @param action the webhook's action. A challenge for the other action counts as unknown
 * @throws {Refusal} 408 `challenge_expired`; 406 `invalid_signature` or `intent_mismatch`; 404 `user_not_found`
 */
export async function acceptResponse(
  core: LoginCore,
  action: Action,
  response: WalletResponse,
  { requestId, limit }: { requestId: string; limit: RequestCounter | null },
): Promise<ResponseAnswer> {
  const now = core.now();
  const call = { requestId, flow: "login" } as const;
  const signer = verifySigner(parsePublicKey(response.public_key), response);
  const registers = action === "register";
  const undoWord = generateRandomToken();
  const parameters = {
    now,
    challenge: response.challenge,
    signer: signer?.hex ?? null,
    registers,
    signedAt: response.timestamp,
    deviceInfo: response.device_info,
    showed: response.intent,
    undoHash: hashSecret(undoWord),
  };

  const foundChallenge = isSiteChallenge(core, action, response.challenge)
    ? await retryOnConflict(() => findAndSpendChallenge(core.database, parameters, limit))
    : null;
  if (!foundChallenge) throw refuseUnknownChallenge(core, call);

  const { sid } = foundChallenge;
  const verdict = checkResponse(foundChallenge, signer !== null, {
    ...{ now, lifetimeSeconds: CHALLENGE_LIFETIME_SECONDS },
    showedOther: isIntentMismatch(response, foundChallenge.intent),
  });
  if (verdict || signer === null) {
    throw await refuseResponse(core, { ...call, sid, now, reason: verdict ?? "invalid_signature" });
  }
  if (foundChallenge.keyNotAllowed)
    throw await refuseResponse(core, { ...call, sid, now, reason: "foreign_key" });
  if (foundChallenge.userId === null && !registers && foundChallenge.intent === null) {
    core.onStep({ ...call, sid, outcome: "unregistered", reason: "unknown_key" });
    await markSessionUnregistered(core.database, { now, sid, credential: signer.hex });
    throw refusal("user_not_found", "No account has this key yet. Register with it on the site first.");
  }
  // Another response has already spent the challenge.
  if (!foundChallenge.spent)
    throw await refuseResponse(core, { ...call, sid, now, reason: "challenge_used" });
  core.onStep({ ...call, sid, outcome: "authenticated" });
  return createResponseAnswer(core, sid, foundChallenge, undoWord);
}

/** docs/protocol.md#112-after-signing */
export function createResponseAnswer(
  core: LoginCore,
  sid: string,
  { userAgent, isKnownBrowser }: Pick<SpentChallenge, "userAgent" | "isKnownBrowser">,
  undoWord: string,
): ResponseAnswer {
  return {
    status: "authenticated",
    browser: { name: browserName(userAgent) },
    new_browser: !isKnownBrowser,
    ...(core.offersUndo() && { undo: createUndoUrl(core, sid, undoWord) }),
  };
}

/** `accepted` in `sql/accept.sql` */
export type SpentChallenge = StoredChallenge & {
  intent: Intent | null;
  /** The key's holder, or else the user whose session or recovery requested the code. Null if the key is unknown. */
  userId: number | null;
  keyNotAllowed: boolean;
  spent: boolean;
  userAgent: string | null;
  isKnownBrowser: boolean;
};

const ACCEPT = sqlFunction("accept", [
  "challenge",
  "signer",
  "registers",
  "namesIntent",
  "showed",
  "signedAt",
  "deviceInfo",
  "undoHash",
  "now",
  "issuedSince",
  "deadline",
]);

/**
 * Finds the exact text, and spends the challenge if the key that signed it may sign in (`sql/accept.sql`).
 * @param input.signer null if the signature is invalid, in which case nothing changes
 * @param input.registers whether to create a user for a key that has none
 * @param input.showed the intent that the wallet says it showed, or undefined if the wallet did not say
 * @param input.undoHash SHA-256 of the undo secret
 * @returns the challenge as it was before the call, and whether this response spent it; null if the challenge was never
 * issued
 * @throws a unique violation if two sessions register the same key concurrently. A repeated call then finds the key's
 * user
 */
export async function findAndSpendChallenge(
  database: Database,
  input: {
    now: Date;
    challenge: string;
    signer: string | null;
    registers: boolean;
    signedAt: number;
    deviceInfo: DeviceInfo | undefined;
    showed: string | null | undefined;
    undoHash: Uint8Array;
  },
  limit: RequestCounter | null = null,
): Promise<SpentChallenge | null> {
  const response = {
    ...input,
    namesIntent: input.showed !== undefined,
    deviceInfo: input.deviceInfo ? JSON.stringify(cutDeviceInfo(input.deviceInfo)) : null,
    issuedSince: addSeconds(input.now, -CHALLENGE_LIFETIME_SECONDS),
    deadline: computeStatementDeadline(input.now),
  };
  return callSqlFunction<SpentChallenge>(database, ACCEPT, response, limit);
}

function cutDeviceInfo(deviceInfo: DeviceInfo): DeviceInfo {
  const parts = Object.entries(DEVICE_INFO_LIMIT_BYTES) as [keyof DeviceInfo, number][];
  return Object.fromEntries(
    parts.flatMap(([part, bytes]) => {
      const text = deviceInfo[part];
      return text === undefined ? [] : [[part, truncateToBytes(text, bytes)]];
    }),
  );
}

const MARK_UNREGISTERED = sqlFunction("mark_unregistered", ["loginSid", "unknownKey", "now"]);

/** The answering key is unknown, but its signature is valid. Also records the response. */
export async function markSessionUnregistered(
  database: Database,
  { now, sid, credential }: { now: Date; sid: string; credential: string },
): Promise<void> {
  await callSqlFunction(database, MARK_UNREGISTERED, { loginSid: sid, unknownKey: credential, now });
}
