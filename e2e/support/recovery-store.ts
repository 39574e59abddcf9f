import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "#packages/login/database/database.ts";
import { insertRecovery } from "#packages/login/plugins/recovery/store/recovery.ts";
import {
  confirmRecoveryCodes,
  replaceRecoveryCodes,
} from "#packages/login/plugins/recovery/store/recovery-code.ts";
import { inSeconds, type LoginStore } from "./login-store.ts";

/** The SQL statements accept any bytes as a MAC and any name of a key. */

export const newMacs = (): [Uint8Array, Uint8Array] => [randomBytes(32), randomBytes(32)];
export const KEY_ID = Buffer.from("this key");

/** Replaces earlier codes. */
export function createRecoveryCodes(
  database: Database,
  user: { userId: number; sessionId: string },
  {
    macs = newMacs(),
    keyId = KEY_ID,
    now = new Date(),
  }: { macs?: Uint8Array[]; keyId?: Uint8Array; now?: Date } = {},
): Promise<{ cancelled: boolean } | null> {
  return replaceRecoveryCodes(database, toRequester(user, now), { macs, keyId });
}

export function confirmStoredCodes(
  database: Database,
  user: { userId: number; sessionId: string },
  macs: readonly Uint8Array[],
  now = new Date(),
): Promise<boolean> {
  return confirmRecoveryCodes(database, toRequester(user, now), macs);
}

export const toRequester = (
  { userId, sessionId }: { userId: number; sessionId: string },
  now = new Date(),
) => ({
  ...{ now, userId, sessionId, userAgent: "Firefox" },
});

/** The user has a signed-in browser and two valid recovery codes. */
export async function createUserWithCodes(store: LoginStore) {
  const user = await store.newUser();
  const { sessionId } = await store.openSession(user);
  const macs = newMacs();
  await createRecoveryCodes(store.database, { ...user, sessionId }, { macs });
  await confirmStoredCodes(store.database, { ...user, sessionId }, macs);
  return { ...user, sessionId, macs };
}

/** For fifteen minutes. */
export async function openRecovery(store: LoginStore, mac: Uint8Array, { now = new Date() } = {}) {
  const [id, secretHash] = [randomUUID(), randomBytes(32)];
  const recoveryRow = await insertRecovery(store.database, {
    ...{ now, macs: [mac], id, secretHash, expiresAt: inSeconds(900, now), userAgent: "Chrome" },
  });
  if (!recoveryRow) throw new Error("the code opened nothing");
  return { id, secretHash };
}

type RecoveryRow = {
  credential: string | null;
  kind: string | null;
  takes_effect_at: Date | null;
  finished_at: Date | null;
  cancelled_at: Date | null;
};

export async function readRecoveryRow(store: LoginStore, id: string): Promise<RecoveryRow | undefined> {
  const columns = "credential, kind, takes_effect_at, finished_at, cancelled_at";
  return (await store.query<RecoveryRow>(`SELECT ${columns} FROM recovery WHERE id = $1`, [id]))[0];
}

export function readRecoveryHistory(store: LoginStore, userId: number) {
  return store.query(
    "SELECT * FROM login_event WHERE user_id = $1 AND kind::text LIKE 'recover%' ORDER BY id",
    [userId],
  );
}
