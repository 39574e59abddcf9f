import { type Action, CHALLENGE_LIFETIME_SECONDS } from "#lib/wallet/challenge.ts";
import { checkPayload, secondsLeft } from "#lib/wallet/check-payload.ts";
import { type DeliveryResult, deliver, type Surroundings } from "#lib/wallet/deliver.ts";
import { deriveKey } from "#lib/wallet/derive-key.ts";
import { deviceId } from "#lib/wallet/device-id.ts";
import { fingerprint } from "#lib/wallet/fingerprint.ts";
import { type ChallengePayload, readPayload } from "#lib/wallet/read-payload.ts";
import { seedFromPhrase } from "#lib/wallet/seed.ts";
import { makeDelivery } from "#lib/wallet/sign-challenge.ts";
import { WalletError } from "#lib/wallet/wallet-error.ts";
import type { StoredSeed } from "./seed-file.ts";

/** What an act uses: the opened key store, a clock, a place to speak, and deliver's surroundings. */
export type WalletContext = {
  seed: StoredSeed;
  account: number;
  trustedHosts: readonly string[];
  /** One line for the person, before the answer is sent. */
  say: (line: string) => void;
  platform: string;
  version: string;
  surroundings?: Surroundings;
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
export async function answerChallenge(
  action: Action,
  scanned: string,
  context: WalletContext,
): Promise<AnsweredChallenge> {
  const now = context.surroundings?.now ?? (() => Date.now() / 1000);
  const payload = readPayload(scanned);
  if (payload.kind === "fast") {
    throw new WalletError("wrong_action", "This is a fast-auth code: use wallet fast.");
  }
  checkPayload(payload, { now: now(), action, trustedHosts: context.trustedHosts });
  const { challenge, webhook } = payload;
  describe(payload, now(), context.say);
  const key = deriveKey(await seedFromPhrase(context.seed.phrase), challenge.domain, context.account);
  const device = {
    platform: context.platform,
    version: context.version,
    device_id: deviceId(context.seed.installation, challenge.domain),
  };
  const delivery = makeDelivery(challenge.text, key, device, now());
  const { privateKey, publicKey, ...identity } = key;
  privateKey.fill(0);
  const result = await deliver(webhook, delivery, challenge, {
    ...context.surroundings,
    onRetry: ({ reason, waitSeconds }) =>
      context.say(
        `${reason === "unreachable" ? "No answer" : "The site has a problem"}; trying again in ${waitSeconds} s`,
      ),
  });
  return {
    ...result,
    ...identity,
    public_key: publicKey,
    fingerprint: fingerprint(publicKey),
    action,
    webhook,
  };
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
  { seed, account }: Pick<WalletContext, "seed" | "account">,
): Promise<ShownKey> {
  const { privateKey, publicKey, ...identity } = deriveKey(
    await seedFromPhrase(seed.phrase),
    domain,
    account,
  );
  privateKey.fill(0);
  return { ...identity, public_key: publicKey, fingerprint: fingerprint(publicKey) };
}

function describe(payload: ChallengePayload, now: number, say: (line: string) => void): void {
  const { challenge, webhook } = payload;
  say(`Domain   ${challenge.domain}`);
  say(`Action   ${challenge.action}`);
  say(`Webhook  ${new URL(webhook).host}`);
  say(`Left     ${secondsLeft(payload, now)} of ${CHALLENGE_LIFETIME_SECONDS} s`);
}
