import { answerChallenge, describeKey, type KeyIdentity } from "../answer-challenge.ts";
import { answerFast, describeAddress } from "../answer-fast.ts";
import { askDomain, cachedDelegation } from "../ask-domain.ts";
import { describeAsking, findAskingBrowser, OTHER_NETWORK } from "../asking-browser.ts";
import { type Action, CHALLENGE_LIFETIME_SECONDS } from "../challenge.ts";
import {
  checkFastPayload,
  checkPayload,
  type Expectation,
  FAST_LIFETIME_SECONDS,
  secondsLeft,
} from "../check-payload.ts";
import { type Delegation, delegationUrl } from "../delegation-file.ts";
import type { AddressType } from "../derive-address.ts";
import { CAUTIONS, REQUESTS } from "../purpose.ts";
import { type ChallengePayload, type Payload, readPayload } from "../read-payload.ts";
import { clock, type SendResult, type Surroundings } from "../send-response.ts";
import { WalletError } from "../wallet-error.ts";
import type { PlacesFile } from "./places-file.ts";
import type { OpenedSeed } from "./seed-file.ts";

/** What a command uses: the opened key store, and a place to speak. */
export type WalletContext = {
  opened: OpenedSeed;
  account: number;
  trustedHosts: readonly string[];
  places: PlacesFile;
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

/** What came of a wallet response, with what it was for. */
export type AnsweredChallenge = Omit<SendResult, "signedIn"> &
  ShownKey & { action: Action; webhook: string } & SignedIn;

/** The browser that is signed in, as `--json` prints it; absent where the service does not tell. */
type SignedIn = { browser?: { name: string }; new_browser?: boolean; undo?: string | null };

/**
 * Answers a code of login or hosted login: reads it, refuses what a wallet must refuse, says what will be signed,
 * signs and delivers. The command is the consent, and the tap that asking the domain takes.
 * @throws WalletError before anything is signed
 */
export async function answerCode(
  action: Action,
  scanned: string,
  { opened, account, trustedHosts, places, say, platform, version }: WalletContext,
): Promise<AnsweredChallenge> {
  const payload = readPayload(scanned);
  if (payload.kind === "fast") {
    throw new WalletError("wrong_action", "This is a fast login code: use wallet fast.");
  }
  const { domain } = payload.challenge;
  const { hostname } = new URL(payload.webhook);
  const delegation = await findDelegation(payload, { action, trustedHosts }, { places, say });
  const expected = { action, trustedHosts, delegation };
  checkPayload(payload, { ...expected, now: clock() });
  const browser = await findAskingBrowser(payload, places);
  describe(payload, clock(), say);
  if (browser) say(`Browser  ${describeAsking(browser, clock())}`);
  if (browser?.network === "other") say(`Caution  ${OTHER_NETWORK}`);
  if (delegation) say(`Named    ${domain} says that ${hostname} may take its answers`);
  const before = await places.findReceiver(domain);
  if (before !== null && before !== hostname)
    say(`Changed  until now, answers for ${domain} went to ${before}`);
  const { seed, installation } = opened;
  const device = { platform, version, installation };
  const { key, signedIn, ...result } = await answerChallenge(payload, { seed, account, device }, expected, {
    onRetry: retryNotice(say),
  });
  if (result.ok) await places.rememberReceiver(domain, hostname);
  const told: SignedIn = signedIn
    ? { browser: { name: signedIn.name }, new_browser: signedIn.isNew, undo: signedIn.undo }
    : {};
  return { ...result, ...show(key), action, webhook: payload.webhook, ...told };
}

/**
 * What the domain says of who may take its answers, where nothing else can let the code through: as it is kept, or
 * asked now. Null where nobody needs to ask.
 * @throws WalletError for a code that is refused whatever the domain says, or that ran out while it was asked
 */
async function findDelegation(
  payload: ChallengePayload,
  expected: Pick<Expectation, "action" | "trustedHosts">,
  { places, say }: Pick<WalletContext, "places" | "say">,
): Promise<Delegation | null> {
  if (!isUpToDomain(payload, expected)) return null;
  const { domain } = payload.challenge;
  const known = cachedDelegation(
    await places.findDelegation(domain),
    new URL(payload.webhook).hostname,
    clock(),
  );
  if (known) return known;
  say(`Asking   ${delegationUrl(domain)}`);
  const kept = await askDomain(domain);
  await places.keepDelegation(kept);
  if (secondsLeft(payload, clock()) > 0) return kept.delegation;
  throw new WalletError(
    "challenge_expired",
    `The code ran out while ${domain} was asked who may take its answers. What it said is kept: run this again with the new code.`,
  );
}

function isUpToDomain(payload: ChallengePayload, expected: Omit<Expectation, "now">): boolean {
  try {
    checkPayload(payload, { ...expected, now: clock(), delegation: null });
    return false;
  } catch (error) {
    if (error instanceof WalletError && error.code === "delegation_unknown") return true;
    throw error;
  }
}

/** The result of a fast response, with the address that it was for. */
export type AnsweredFast = SendResult & {
  address: string;
  address_type: AddressType;
  account: number;
  path: string;
  public_key: string;
  webhook: string;
};

/**
 * Answers a code of fast login: signs its URL with an address of the phrase. The command is the
 * consent.
 * @throws WalletError before anything is signed
 */
export async function answerFastCode(
  scanned: string,
  type: AddressType,
  { opened, account, say }: Pick<WalletContext, "opened" | "account" | "say">,
): Promise<AnsweredFast> {
  const payload = readPayload(scanned);
  if (payload.kind !== "fast") {
    throw new WalletError(
      "wrong_action",
      "This is not a fast login code: use wallet login or wallet register.",
    );
  }
  const now = clock();
  checkFastPayload(payload, now);
  const { seed } = opened;
  say(`Host     ${new URL(payload.url).host}`);
  say(`Action   ${payload.intent ? REQUESTS[payload.intent] : "sign in with an address"}`);
  sayCaution(payload, say);
  say(`Address  ${describeAddress(seed, type, account).address}`);
  say(`Left     ${secondsLeft(payload, now)} of ${FAST_LIFETIME_SECONDS} s`);
  const { key, ...result } = await answerFast(
    payload,
    { seed, type, account },
    { onRetry: retryNotice(say) },
  );
  const { address, path, publicKey } = key;
  return {
    ...result,
    address,
    address_type: type,
    account,
    path,
    public_key: publicKey,
    webhook: payload.url,
  };
}

function retryNotice(say: (line: string) => void): Surroundings["onRetry"] {
  return ({ reason, waitSeconds }) =>
    say(
      `${reason === "unreachable" ? "No answer" : "The site has a problem"}; trying again in ${waitSeconds} s`,
    );
}

/** The key of a domain and account. */
export async function showKey(
  domain: string,
  { opened, account }: Pick<WalletContext, "opened" | "account">,
): Promise<ShownKey> {
  return show(describeKey(opened.seed, domain, account));
}

function show({ publicKey, ...identity }: KeyIdentity): ShownKey {
  return { ...identity, public_key: publicKey };
}

function sayCaution({ intent }: Payload, say: (line: string) => void): void {
  const caution = intent && CAUTIONS[intent];
  if (caution) say(`Caution  ${caution}`);
}

function describe(payload: ChallengePayload, now: number, say: (line: string) => void): void {
  const { challenge, webhook, intent } = payload;
  say(`Domain   ${challenge.domain}`);
  say(`Action   ${intent ? REQUESTS[intent] : challenge.action}`);
  sayCaution(payload, say);
  say(`Webhook  ${new URL(webhook).host}`);
  say(`Left     ${secondsLeft(payload, now)} of ${CHALLENGE_LIFETIME_SECONDS} s`);
}
