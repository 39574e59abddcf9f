import { answerChallenge, describeKey, type KeyIdentity } from "#lib/wallet/answer-challenge.ts";
import { type Action, CHALLENGE_LIFETIME_SECONDS } from "#lib/wallet/challenge.ts";
import { checkPayload, secondsLeft } from "#lib/wallet/check-payload.ts";
import type { DeliveryResult } from "#lib/wallet/deliver.ts";
import { type ChallengePayload, readPayload } from "#lib/wallet/read-payload.ts";
import { seedFromPhrase } from "#lib/wallet/seed.ts";
import { WalletError } from "#lib/wallet/wallet-error.ts";
import type { StoredSeed } from "./seed-file.ts";

/** What an act uses: the opened key store, and a place to speak. */
export type WalletContext = {
  stored: StoredSeed;
  account: number;
  trustedHosts: readonly string[];
  /** One line for the person, before the answer is sent. */
  say: (line: string) => void;
  platform: string;
  version: string;
};

/** The key of a domain as `wallet show` prints it. */
export type ShownKey = {
  domain: string;
  account: number;
  path: string;
  public_key: string;
  fingerprint: string;
};

/** A delivery's result, with what it was for. */
export type AnsweredChallenge = DeliveryResult & ShownKey & { action: Action; webhook: string };

/**
 * Answers a code of flow A or B: reads it, refuses what a wallet must refuse, says what will be signed,
 * signs and delivers. The command is the consent.
 * @throws WalletError before anything is signed
 */
export async function answerCode(
  action: Action,
  scanned: string,
  { stored, account, trustedHosts, say, platform, version }: WalletContext,
): Promise<AnsweredChallenge> {
  const payload = readPayload(scanned);
  if (payload.kind === "fast") {
    throw new WalletError("wrong_action", "This is a fast-auth code: use wallet fast.");
  }
  const now = Date.now() / 1000;
  checkPayload(payload, { now, action, trustedHosts });
  describe(payload, now, say);
  const seed = await seedFromPhrase(stored.phrase);
  const device = { platform, version, installation: stored.installation };
  const expected = { action, trustedHosts };
  const { key, ...result } = await answerChallenge(payload, { seed, account, device }, expected, {
    onRetry: ({ reason, waitSeconds }) =>
      say(
        `${reason === "unreachable" ? "No answer" : "The site has a problem"}; trying again in ${waitSeconds} s`,
      ),
  });
  return { ...result, ...show(key), action, webhook: payload.webhook };
}

/**
 * Answers a code of flow C (specification 4.3). It is read, and not signed yet.
 * @throws WalletError always: `payload_*` when it is no such code, else `not_supported`
 */
export function answerFast(scanned: string): never {
  if (readPayload(scanned).kind !== "fast") {
    throw new WalletError(
      "wrong_action",
      "This is not a fast-auth code: use wallet login or wallet register.",
    );
  }
  throw new WalletError(
    "not_supported",
    "This wallet does not sign fast-auth codes yet: that arrives with flow C. Sign in with a login code instead.",
  );
}

/** The key of a domain and account. */
export async function showKey(
  domain: string,
  { stored, account }: Pick<WalletContext, "stored" | "account">,
): Promise<ShownKey> {
  return show(describeKey(await seedFromPhrase(stored.phrase), domain, account));
}

function show({ publicKey, ...identity }: KeyIdentity): ShownKey {
  return { ...identity, public_key: publicKey };
}

function describe(payload: ChallengePayload, now: number, say: (line: string) => void): void {
  const { challenge, webhook } = payload;
  say(`Domain   ${challenge.domain}`);
  say(`Action   ${challenge.action}`);
  say(`Webhook  ${new URL(webhook).host}`);
  say(`Left     ${secondsLeft(payload, now)} of ${CHALLENGE_LIFETIME_SECONDS} s`);
}
