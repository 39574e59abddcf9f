import { ADDRESS_TYPES, type AddressType, describeAddress } from "@svc/wallet/bitcoin-address";
import { type SealedSeed, sealSeed, unsealSeed } from "@svc/wallet/sealed-seed";
import { seedFromPhrase } from "@svc/wallet/seed";
import { generateInstallationId } from "@svc/wallet/wallet-response";
import { clear, createStore, get, type UseStore, update } from "idb-keyval";
import { type Confirmation, deriveLockKey, type Lock, type LockKind } from "./lock.ts";

/**
 * IndexedDB contains the wallet with its seed sealed. Only `openWallet` unseals the seed, and only to sign. At all
 * other times, the page holds no secret.
 */
const WALLET = "wallet";

/** An earlier version's unsealed wallet, which is read once and then sealed. */
type UnsealedWallet = { format: 1; phrase: string; installation: string };
type SealedWallet = {
  format: 2;
  seed: SealedSeed;
  /**
   * Fast login's addresses, which are public and shown before the wallet is opened. Earlier versions did not store
   * these addresses.
   */
  addresses?: Addresses;
  /** The secret from which `device_id`s are derived. */
  installation: string;
};
type StoredWallet = UnsealedWallet | SealedWallet;

/** The first Bitcoin address of each type. */
export type Addresses = Record<AddressType, string>;

/** In memory only while an operation needs them. */
type OpenedWallet = { seed: Uint8Array; installation: string };

/** Another tab has created a wallet in the meantime. */
export class WalletExistsError extends Error {}

let store: UseStore | undefined;

// Opened on first use, because the server has no IndexedDB.
function open(): UseStore {
  store ??= createStore("svc-wallet", "vault");
  return store;
}

/** `addresses` are shown while the wallet is locked. Rejects if the browser does not let this page store data. */
export async function readVault(): Promise<"none" | "unsealed" | { lock: LockKind; addresses?: Addresses }> {
  const stored = await get<StoredWallet>(WALLET, open());
  if (!stored) return "none";
  if (stored.format === 1) return "unsealed";
  const { addresses, seed } = stored;
  return { lock: seed.protection.by === "prf" ? "biometric" : "passphrase", addresses };
}

/** @throws WalletError if `phrase` is invalid; WalletExistsError if there is already a wallet */
export async function saveWallet(phrase: string, lock: Lock): Promise<void> {
  const wallet = await sealed(phrase, generateInstallationId(), lock);
  await update<StoredWallet>(
    WALLET,
    (present) => {
      if (present) throw new WalletExistsError("This browser already has a wallet. Reload this page.");
      return wallet;
    },
    open(),
  );
}

/** Also deletes the seed phrase that an earlier version stored. */
export async function sealUnsealedWallet(lock: Lock): Promise<void> {
  const present = await get<StoredWallet>(WALLET, open());
  if (present?.format !== 1) return;
  const wallet = await sealed(present.phrase, present.installation, lock);
  // Another tab might already have sealed or wiped the wallet.
  await update<StoredWallet | undefined>(WALLET, (now) => (now?.format === 1 ? wallet : now), open());
}

/**
 * Null if the wallet no longer exists.
 * @throws BiometricError, or WalletError `unseal_failed`, if the user could not be verified
 */
export async function openWallet(confirmation: Confirmation): Promise<OpenedWallet | null> {
  const stored = await get<StoredWallet>(WALLET, open());
  if (stored?.format !== 2) return null;
  const { seed, installation } = stored;
  const key = await deriveLockKey(seed.protection, confirmation);
  return { seed: await unsealSeed(seed, key), installation };
}

export async function wipeVault(): Promise<void> {
  await clear(open());
}

async function sealed(
  phrase: string,
  installation: string,
  { key, protection }: Lock,
): Promise<SealedWallet> {
  const seed = await seedFromPhrase(phrase);
  const firstAddresses = ADDRESS_TYPES.map((type) => [type, describeAddress(seed, type, 0).address]);
  const addresses: Addresses = Object.fromEntries(firstAddresses);
  return { format: 2, installation, addresses, seed: await sealSeed(seed, key, protection) };
}
