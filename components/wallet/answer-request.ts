import { answerChallenge } from "@svc/wallet/answer-challenge";
import { answerFast } from "@svc/wallet/answer-fast";
import { cachedDelegation } from "@svc/wallet/ask-domain";
import type { Expectation } from "@svc/wallet/check-payload";
import type { AddressType } from "@svc/wallet/derive-address";
import { WALLET_VERSION } from "@svc/wallet/device-info";
import type { Payload } from "@svc/wallet/read-payload";
import { clock, type SendResult, type Surroundings } from "@svc/wallet/send-response";
import { browserName } from "#lib/login/protocol/browser-name.ts";
import { domainOf, webhookOf } from "./request.ts";
import { retrySentence } from "./request-words.tsx";
import type { OpenedWallet } from "./vault.ts";
import { findDelegation, rememberSite, type Site, trustedHosts } from "./wallet-storage.ts";

/** What it runs in, for its person's own list of devices. */
const platform = () => `web: ${browserName(navigator.userAgent)}`;

/** With what a code is answered. */
export type AnswerChoice = {
  /** 0 for the first account on the domain. */
  account: number;
  /** With which address fast login's code is answered. */
  addressType: AddressType;
};

/** What the person and the site have said so far of who may take an answer. */
export async function expectationFor(payload: Payload): Promise<Expectation> {
  const domain = domainOf(payload);
  const now = clock();
  // Where the browser keeps nothing, nobody is trusted and every site is asked.
  const [hosts, kept] = await Promise.all([
    trustedHosts(domain).catch(() => []),
    findDelegation(domain).catch(() => null),
  ]);
  return { now, trustedHosts: hosts, delegation: cachedDelegation(kept, webhookOf(payload).hostname, now) };
}

/** Signs, sends, and notes where the wallet has been. Wipes the seed. @throws WalletError before anything is signed */
export async function answerRequest(
  payload: Payload,
  wallet: OpenedWallet,
  choice: AnswerChoice,
  onRetry: (reason: string) => void,
): Promise<{ result: SendResult; keyName: string | undefined }> {
  const { site, result } = await sign(payload, wallet, choice, {
    onRetry: ({ reason }) => onRetry(retrySentence(reason)),
  });
  // The site has accepted, whether or not this browser can note it.
  if (result.ok) await rememberSite({ ...site, lastUsedAt: Date.now() }).catch(() => {});
  return { result, keyName: site.address ?? site.fingerprint };
}

type Answered = { site: Omit<Site, "lastUsedAt">; result: SendResult };

/** Signs and sends: with the domain's own key, or in fast login with the address that was chosen. */
async function sign(
  payload: Payload,
  { seed, installation }: OpenedWallet,
  { account, addressType: type }: AnswerChoice,
  surroundings: Surroundings,
): Promise<Answered> {
  const domain = domainOf(payload);
  try {
    if (payload.kind === "fast") {
      const { key, ...result } = await answerFast(payload, { seed, type, account: 0 }, surroundings);
      return { site: { domain, account: key.account, address: key.address }, result };
    }
    const device = { platform: platform(), version: WALLET_VERSION, installation };
    const { key, ...result } = await answerChallenge(
      payload,
      { seed, account, device },
      await expectationFor(payload),
      surroundings,
    );
    const receiver = webhookOf(payload).hostname;
    return { site: { domain, account, fingerprint: key.fingerprint, receiver }, result };
  } finally {
    seed.fill(0);
  }
}
