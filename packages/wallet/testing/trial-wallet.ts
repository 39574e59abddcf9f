import { readPayload } from "../read-payload.ts";
import { RequestFlow } from "../request-flow.ts";
import { generateInstallationId, TRIAL_PLATFORM, WALLET_VERSION } from "../wallet-response.ts";

const STORAGE_KEY = "svc-trial-wallet";
const SEED_BYTES = 64;

/**
 * The wallet is created the first time. Its seed is in the tab's session storage, where every script on the page can
 * read it, so use this wallet only in development.
 * @returns whether the site accepted the answer, and the wallet's message about that
 */
export async function answerWithTrialWallet(code: string): Promise<{ ok: boolean; advice: string }> {
  try {
    const payload = readPayload(code);
    if (payload.kind === "fast") return { ok: false, advice: "This wallet answers no fast login." };
    const flow = new RequestFlow();
    await flow.ask(payload);
    const answer = await flow.approve(() => {
      const { seed, installation } = openWallet();
      const device = { platform: TRIAL_PLATFORM, version: WALLET_VERSION, installation };
      return { seed, account: 0, addressType: "p2wpkh", device };
    });
    const { request } = flow.state();
    if (request?.phase === "refused") throw request.error;
    return { ok: answer?.ok === true, advice: [answer?.message, answer?.advice].filter(Boolean).join(" ") };
  } catch (error) {
    return { ok: false, advice: error instanceof Error ? error.message : String(error) };
  }
}

function openWallet(): { seed: Uint8Array; installation: string } {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  const wallet: { seed: number[]; installation: string } = stored
    ? JSON.parse(stored)
    : {
        seed: [...crypto.getRandomValues(new Uint8Array(SEED_BYTES))],
        installation: generateInstallationId(),
      };
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(wallet));
  return { ...wallet, seed: Uint8Array.from(wallet.seed) };
}
