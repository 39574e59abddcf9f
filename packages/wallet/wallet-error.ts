/** Why a wallet stops before it signs or sends anything. Programs and tests can rely on these codes. */
export type WalletErrorCode =
  | "phrase_length"
  | "phrase_word"
  | "phrase_checksum"
  | "passphrase_short"
  | "unseal_failed"
  | "seal_malformed"
  | "wallet_gone"
  | "domain_malformed"
  | "account_malformed"
  | "payload_too_long"
  | "payload_characters"
  | "payload_unknown"
  | "payload_parameters"
  | "webhook_malformed"
  | "challenge_malformed"
  | "timestamp_mismatch"
  // Reasons for refusing a code that was parsed.
  | "webhook_host"
  | "delegation_unknown"
  | "webhook_not_https"
  | "challenge_expired"
  | "challenge_from_future"
  | "wrong_action"
  | "code_changed";

/**
 * `message` is a plain sentence for the wallet's user about what is wrong and what to do. Any further lines are for the
 * site's operators. The message never repeats unchecked text from the payload.
 */
export class WalletError extends Error {
  readonly code: WalletErrorCode;

  constructor(code: WalletErrorCode, message: string) {
    super(message);
    this.name = "WalletError";
    this.code = code;
  }
}
