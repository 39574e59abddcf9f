import { isHostName } from "./host-name.ts";
import { WalletError } from "./wallet-error.ts";

/** A challenge lives 30 seconds. */
export const CHALLENGE_LIFETIME_SECONDS = 30;

/** What a challenge asks for. */
export type Action = "login" | "register";

/** A challenge string and what it says (docs/protocol.md#11-challenge). */
export type Challenge = {
  /** The exact text; its UTF-8 bytes are what is signed. */
  text: string;
  action: Action;
  /** The domain that the key is derived for, lower-case ASCII. */
  domain: string;
  /** Unix seconds. */
  issuedAt: number;
};

const CHALLENGE = /^svc:(login|register):([a-z0-9.-]{1,253}):(0|[1-9][0-9]{0,11}):[A-Za-z0-9]{32}$/;

/**
 * Reads `svc:{action}:{domain}:{timestamp}:{nonce}`.
 * @throws WalletError `challenge_malformed` for anything that departs from it by a single character.
 */
export function readChallenge(text: string): Challenge {
  const [, action, domain = "", timestamp] = CHALLENGE.exec(text) ?? [];
  if ((action !== "login" && action !== "register") || !isHostName(domain)) {
    throw new WalletError(
      "challenge_malformed",
      "This code carries a challenge that this wallet cannot read. Ask the site for a new code; if it happens again, the site is faulty.",
    );
  }
  return { text, action, domain, issuedAt: Number(timestamp) };
}
