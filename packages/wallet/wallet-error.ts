/** Why a wallet stopped before anything was signed or sent. Stable, for programs and tests. */
export type WalletErrorCode =
  // The phrase
  | "phrase_length"
  | "phrase_word"
  | "phrase_checksum"
  // The lock
  | "passphrase_short"
  | "unseal_failed"
  | "seal_malformed"
  // The temporary wallet
  | "wallet_gone"
  // The key
  | "domain_malformed"
  | "account_malformed"
  // Errors in the scanned text
  | "payload_too_long"
  | "payload_characters"
  | "payload_unknown"
  | "payload_parameters"
  | "webhook_malformed"
  | "challenge_malformed"
  | "timestamp_mismatch"
  // Refusals of a code
  | "webhook_host"
  | "delegation_unknown"
  | "webhook_not_https"
  | "challenge_expired"
  | "challenge_from_future"
  | "wrong_action"
  | "code_changed";

/**
 * The only error that this folder throws. `message` is a plain sentence for the person who holds the wallet: what is
 * wrong and what to do. Lines below it are for the site's operators. It never repeats unchecked text from the payload.
 */
export class WalletError extends Error {
  readonly code: WalletErrorCode;

  constructor(code: WalletErrorCode, message: string) {
    super(message);
    this.name = "WalletError";
    this.code = code;
  }
}
