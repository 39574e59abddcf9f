import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import {
  createPassphraseProtection,
  derivePassphraseKey,
  derivePrfKey,
  generatePrfSalts,
  type PrfProtection,
  requireLongPassphrase,
  type SeedProtection,
} from "@svc/wallet/sealed-seed";
import { WalletError } from "@svc/wallet/wallet-error";

export type Lock = { protection: SeedProtection; key: Uint8Array };

/** A passphrase or, until `signal` aborts, a biometric check. */
export type Confirmation = { passphrase?: string; signal?: AbortSignal };

export type LockKind = "biometric" | "passphrase";

/** @throws WalletError `passphrase_short` */
export async function lockByPassphrase(passphrase: string): Promise<Lock> {
  const protection = createPassphraseProtection();
  return { protection, key: await derivePassphraseKey(requireLongPassphrase(passphrase), protection) };
}

/**
 * The caller must wipe the key.
 * @throws BiometricError, or WalletError if the passphrase could not be tried
 */
export async function deriveLockKey(
  protection: SeedProtection,
  confirmation: Confirmation,
): Promise<Uint8Array> {
  if (protection.by === "prf") return biometricKey(protection, confirmation.signal);
  return derivePassphraseKey(confirmation.passphrase ?? "", protection);
}

/** Null for any other error. */
export function explainLockError(error: unknown): string | null {
  if (error instanceof BiometricError) {
    return error.reason === "refused"
      ? error.message
      : "This device did not return the wallet’s key. Try again. If that fails too, remove the wallet and restore it from your words.";
  }
  const isWrong = error instanceof WalletError && error.code === "unseal_failed";
  return isWrong ? "This passphrase does not open the wallet." : null;
}

/**
 * Uses the device's biometrics as a key, through WebAuthn's PRF extension (WebAuthn Level 3, 10.1.4). After verifying
 * the user, the authenticator returns 32 bytes for a salt. No server is involved, so the challenge and the signature
 * are ignored.
 */
const ALGORITHMS = [-7, -257];
const PROMPT_TIMEOUT_MS = 60_000;

/**
 * Thrown if biometric verification returns no key: the user refused (`refused`) or took too long, or the device does
 * not support it.
 */
export class BiometricError extends Error {
  readonly reason: "refused" | "unsupported";

  constructor(reason: "refused" | "unsupported") {
    super(
      reason === "refused"
        ? "Not confirmed, so nothing was signed."
        : "This device or browser cannot lock a wallet with biometrics. Use a passphrase.",
    );
    this.reason = reason;
  }
}

/** A biometric sensor or a PIN. Whether the device supports PRF is known only after enrolment. */
export async function hasBiometric(): Promise<boolean> {
  try {
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  } catch {
    return false;
  }
}

/** @throws BiometricError */
export async function lockByBiometric(): Promise<Lock> {
  const salts = generatePrfSalts();
  const credential = await prompt(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: window.location.hostname, name: "svc wallet" },
        user: { id: random(16), name: "svc wallet", displayName: "svc wallet" },
        challenge: random(32),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: {
          authenticatorAttachment: "platform",
          residentKey: "required",
          userVerification: "required",
        },
        timeout: PROMPT_TIMEOUT_MS,
        extensions: { prf: { eval: { first: hexToBytes(salts.prfSalt).slice() } } },
      },
    }),
  );
  const { enabled, results } = credential.getClientExtensionResults().prf ?? {};
  const credentialId = bytesToHex(new Uint8Array(credential.rawId));
  const protection: PrfProtection = { by: "prf", credentialId, ...salts };
  if (!enabled) throw new BiometricError("unsupported");
  // Some authenticators return the key during enrolment, others only on a later request.
  const first = results?.first;
  const key = first ? keyOf(first, protection) : await biometricKey(protection);
  return { protection, key };
}

async function biometricKey(protection: PrfProtection, signal?: AbortSignal): Promise<Uint8Array> {
  const assertion = await prompt(() =>
    navigator.credentials.get({
      signal,
      publicKey: {
        challenge: random(32),
        rpId: window.location.hostname,
        allowCredentials: [
          { type: "public-key", id: hexToBytes(protection.credentialId).slice(), transports: ["internal"] },
        ],
        userVerification: "required",
        timeout: PROMPT_TIMEOUT_MS,
        extensions: { prf: { eval: { first: hexToBytes(protection.prfSalt).slice() } } },
      },
    }),
  );
  const output = assertion.getClientExtensionResults().prf?.results?.first;
  if (!output) throw new BiometricError("unsupported");
  return keyOf(output, protection);
}

function keyOf(output: BufferSource, protection: PrfProtection): Uint8Array {
  const bytes = ArrayBuffer.isView(output)
    ? new Uint8Array(output.buffer, output.byteOffset, output.byteLength)
    : new Uint8Array(output);
  const key = derivePrfKey(bytes, protection);
  bytes.fill(0);
  return key;
}

async function prompt(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    const isRefused = name === "NotAllowedError" || name === "AbortError" || name === "TimeoutError";
    throw new BiometricError(isRefused ? "refused" : "unsupported");
  }
  if (credential instanceof PublicKeyCredential) return credential;
  throw new BiometricError("unsupported");
}

function random(bytes: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(bytes));
}
