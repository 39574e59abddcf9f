import { createHmac, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { type Refusal, refusal } from "../../protocol/errors.ts";
import { addSeconds, RECOVERY_PERMISSION_SECONDS } from "../../protocol/numbers.ts";
import type { LoginCore } from "../../server/core.ts";
import { generateSecret, hashSecret } from "../../server/random.ts";
import type { Requester } from "../approvals/requester.ts";
import { computeCheckCharacter, formatRecoveryCode, RECOVERY_CODE_ALPHABET, readCode } from "./code.ts";
import { insertRecovery } from "./store/recovery.ts";
import {
  confirmRecoveryCodes,
  hasActiveRecoveryCode,
  type RecoveryCodesState,
  readRecoveryCodesState,
  replaceRecoveryCodes,
} from "./store/recovery-code.ts";

/** docs/protocol.md#101-recovery-codes */

/** The text is always the same, so that it does not reveal why the code is invalid. */
function invalidCode(): Refusal {
  return refusal(
    "invalid_recovery_code",
    "This recovery code does not work. Check each character. A code that was used or replaced is no longer valid; try your other one.",
  );
}

/** One MAC for each of the site's secrets. Empty if the text is not a recovery code. */
function macsOf(code: string, { secrets }: LoginCore): Buffer[] {
  const characters = readCode(code);
  return characters === null ? [] : secrets.map((secret) => computeCodeMac(characters, secret));
}

/**
 * The new codes work only once they are confirmed. The user's previous codes become invalid immediately, and any
 * recoveries that were opened with them end. Needs an approval.
 * @returns both codes, which cannot be read again, and whether a recovery was cancelled; null if the requesting session
 * has ended
 */
export async function createRecoveryCodes(
  core: LoginCore,
  asker: Requester,
): Promise<{ codes: string[]; cancelled: boolean } | null> {
  const characters = [generateRecoveryCode(), generateRecoveryCode()];
  const [secret] = core.secrets;
  const sealed = {
    macs: characters.map((text) => computeCodeMac(text, secret)),
    keyId: computeMacKeyId(secret),
  };
  const replaced = await replaceRecoveryCodes(core.database, asker, sealed);
  return replaced && { codes: characters.map(formatRecoveryCode), ...replaced };
}

/**
 * The user must have typed both new codes.
 * @throws {Refusal} 401 `invalid_recovery_code` if these are not the two codes, in which case nothing has changed
 */
export async function activateRecoveryCodes(
  core: LoginCore,
  asker: Requester,
  codes: readonly string[],
): Promise<void> {
  const macs = codes.flatMap((code) => macsOf(code, core));
  if (!(await confirmRecoveryCodes(core.database, asker, macs))) throw invalidCode();
}

/**
 * Does not use up the code.
 * @throws {Refusal} 401 `invalid_recovery_code` if it does not work
 */
export async function checkRecoveryCode(core: LoginCore, userId: number, code: string): Promise<void> {
  if (!(await hasActiveRecoveryCode(core.database, { userId, macs: macsOf(code, core) })))
    throw invalidCode();
}

/**
 * A recovery permits the browser that has its secret to bind one new key (docs/protocol.md#102-post-apirecovery).
 * Opening a recovery neither signs in nor spends the code.
 * @throws {Refusal} 401 `invalid_recovery_code`
 */
export async function openRecovery(
  core: LoginCore,
  { code, userAgent }: { code: string; userAgent: string | null },
): Promise<{ expiresAt: Date; secret: string; userId: number }> {
  const now = core.now();
  const secret = generateSecret();
  const expiresAt = addSeconds(now, RECOVERY_PERMISSION_SECONDS);
  const recovery = await insertRecovery(core.database, {
    ...{ now, expiresAt, id: randomUUID(), macs: macsOf(code, core), secretHash: hashSecret(secret) },
    userAgent,
  });
  if (!recovery) throw invalidCode();
  return { expiresAt, secret, ...recovery };
}

export async function getRecoveryCodesState(core: LoginCore, userId: number): Promise<RecoveryCodesState> {
  const [current, ...previous] = core.secrets;
  return readRecoveryCodesState(core.database, {
    userId,
    keyIds: [computeMacKeyId(current), ...previous.map(computeMacKeyId)],
  });
}

/**
 * Recovery codes are stored as HMAC-SHA-256 values. HKDF-SHA-256 derives the HMAC key from NEXTAUTH_SECRET, so that
 * someone who has only a copy of the database can neither find codes in the copy nor test guesses.
 */

const CODE_BYTES = 15;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;

/** Each of the 24 characters contains 5 random bits. */
export function generateRecoveryCode(): string {
  for (;;) {
    const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const characters = bits.replace(
      /.{5}/g,
      (five) => RECOVERY_CODE_ALPHABET[Number.parseInt(five, 2)] ?? "",
    );
    if (computeCheckCharacter(characters) !== null) return characters;
  }
}

export function computeCodeMac(characters: string, secret: string): Buffer {
  return createHmac("sha256", derive(secret, "svc-login recovery code v1", KEY_BYTES))
    .update(characters)
    .digest();
}

export function computeMacKeyId(secret: string): Buffer {
  return derive(secret, "svc-login recovery key id v1", KEY_ID_BYTES);
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));
}
