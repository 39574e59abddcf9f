import { cutToBytes } from "../protocol/cut-to-bytes.ts";
import type { RefusalReason } from "../protocol/errors.ts";
import type { DeviceInfo } from "../protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS, DEVICE_INFO_KEPT_BYTES } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import { addSeconds } from "../protocol/time.ts";
import type { RequestCount } from "./count-request.ts";
import { type Database, deadlineOf } from "./database.ts";
import { call, sqlFunction } from "./sql-function.ts";

/** A challenge as a wallet response finds it, in any flow. */
export type FoundChallenge = {
  sid: string;
  issuedAt: Date;
  /** Its session is authenticated: one response spends every challenge of a session. */
  used: boolean;
};

/** What became of a response to a login's challenge (`accepted` in `sql/accept.sql`). */
export type SpentChallenge = FoundChallenge & {
  intent: Intent | null;
  /** The user that the key signs in: its holder, or else the user whose session or recovery requested the code. */
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
 * Finds a challenge by its exact text, and spends it if the key that signed it may sign in (`sql/accept.sql`).
 * @param input.signer the key that signed the challenge; null when the signature is not valid: then nothing changes
 * @param input.registers whether a key without a user gets one
 * @param input.showed the intent that the wallet says it showed; undefined if it does not say
 * @param input.undoHash SHA-256 of the word that undoes the login
 * @param limit counts the request
 * @returns what was there before, and whether this response spent it; null for a challenge that was not issued
 * @throws a unique violation when two sessions register one key concurrently: the second finds its user on a new try
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
  limit: RequestCount | null = null,
): Promise<SpentChallenge | null> {
  const response = {
    ...input,
    namesIntent: input.showed !== undefined,
    deviceInfo: input.deviceInfo ? JSON.stringify(cutDeviceInfo(input.deviceInfo)) : null,
    issuedSince: addSeconds(input.now, -CHALLENGE_LIFETIME_SECONDS),
    deadline: deadlineOf(input.now),
  };
  return call<SpentChallenge>(database, ACCEPT, response, limit);
}

/** A wallet's description of its device, cut to the shown length. */
function cutDeviceInfo(deviceInfo: DeviceInfo): DeviceInfo {
  const parts = Object.entries(DEVICE_INFO_KEPT_BYTES) as [keyof DeviceInfo, number][];
  return Object.fromEntries(
    parts.flatMap(([part, bytes]) => {
      const text = deviceInfo[part];
      return text === undefined ? [] : [[part, cutToBytes(text, bytes)]];
    }),
  );
}

/** The data about a code for a wallet before it signs. */
export type CodeInfo = {
  issuedAt: Date;
  intent: Intent | null;
  userAgent: string | null;
  network: Uint8Array | null;
};

const WHO_IS_ASKING = sqlFunction("who_is_asking", ["challenge", "loginSid", "now", "issuedSince"]);

/** A code that can still be answered; null for any other. Only reads. */
export async function findCodeInfo(
  database: Database,
  { now, sid, challenge }: { now: Date; sid: string; challenge: string },
  limit: RequestCount | null,
): Promise<CodeInfo | null> {
  const issuedSince = addSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  return call<CodeInfo>(database, WHO_IS_ASKING, { challenge, loginSid: sid, now, issuedSince }, limit);
}

const MARK_UNREGISTERED = sqlFunction("mark_unregistered", ["loginSid", "unknownKey", "now"]);

/** Marks a pending session whose valid response came from an unknown key, and records it. */
export async function markUnregistered(
  database: Database,
  { now, sid, credential }: { now: Date; sid: string; credential: string },
): Promise<void> {
  await call(database, MARK_UNREGISTERED, { loginSid: sid, unknownKey: credential, now });
}

const RECORD_REFUSAL = sqlFunction("record_refusal", ["refusedSid", "reason", "now"]);

/** Records that a response to a session was refused, and why; the status stays what it was. */
export async function recordRefusal(
  database: Database,
  { now, sid, reason }: { now: Date; sid: string; reason: RefusalReason },
): Promise<void> {
  await call(database, RECORD_REFUSAL, { refusedSid: sid, reason, now });
}
