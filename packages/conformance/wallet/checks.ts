import { type Check, checksOf } from "../check.ts";
import { WALLET_TEXTS } from "../texts/wallet.ts";
import { ASKING_BROWSER_CHECKS } from "./asking-browser.ts";
import { DELEGATION_CHECKS } from "./delegations.ts";
import { REFUSAL_CHECKS, WEBHOOK_CHECKS } from "./refusals.ts";
import { SENT_ANSWER_CHECKS } from "./sent-answers.ts";
import type { Trial } from "./trial.ts";

/** In the order of the steps that a wallet takes. */
export const WALLET_CHECKS: readonly Check<Trial>[] = checksOf(WALLET_TEXTS, {
  ...SENT_ANSWER_CHECKS,
  ...WEBHOOK_CHECKS,
  ...DELEGATION_CHECKS,
  ...REFUSAL_CHECKS,
  ...ASKING_BROWSER_CHECKS,
});
