import { checkPassphrase, makePassphraseProtection, passphraseKey } from "#lib/wallet/passphrase-key.ts";
import type { Protection } from "#lib/wallet/sealed-seed.ts";
import { BiometricError, biometricKey, enrolBiometric } from "./biometric.ts";

/** What seals a wallet: how its key is made, and the key itself for as long as the act takes. */
export type Lock = { protection: Protection; key: Uint8Array };

/** What a person brings to open a wallet: the passphrase, or their finger while `signal` lets them. */
export type Confirmation = { passphrase?: string; signal?: AbortSignal };

/** How this wallet is opened. */
export type LockKind = "biometric" | "passphrase";

/** A lock that the device's biometric opens. @throws BiometricError */
export const lockByBiometric: (signal?: AbortSignal) => Promise<Lock> = enrolBiometric;

/** A lock that a passphrase opens. @throws WalletError `passphrase_short` */
export async function lockByPassphrase(passphrase: string): Promise<Lock> {
  const protection = makePassphraseProtection();
  return { protection, key: await passphraseKey(checkPassphrase(passphrase), protection) };
}

/**
 * The key that opens what `protection` seals; the one who gets it wipes it.
 * @throws BiometricError, or WalletError when the passphrase cannot be tried
 */
export async function keyFor(protection: Protection, confirmation: Confirmation): Promise<Uint8Array> {
  if (protection.by === "prf") return biometricKey(protection, confirmation.signal);
  return passphraseKey(confirmation.passphrase ?? "", protection);
}

/** What a person reads when a wallet did not open; null for what is not about opening it. */
export function lockProblem(error: unknown): string | null {
  if (error instanceof BiometricError) {
    return error.reason === "refused"
      ? error.message
      : "This device did not give the wallet’s key. Try again. If that fails too, wipe the wallet and restore it from your words.";
  }
  return isWrongPassphrase(error) ? "This passphrase does not open the wallet." : null;
}

function isWrongPassphrase(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "unseal_failed";
}
