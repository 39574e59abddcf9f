import { z } from "zod";

/** Unix seconds that PostgreSQL and ISO 8601 can both hold (until the year 9999). */
const UnixSeconds = z.int().min(0).max(253_402_300_799);

/** Specification 2.5; a wallet may leave out what it does not want to tell. */
export const DeviceInfo = z.object({
  platform: z.string().max(100).optional(),
  version: z.string().max(100).optional(),
  device_id: z.string().max(200).optional(),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

/**
 * A wallet response (specification 4.1; flow B's wallets send the same).
 * Only the shape is checked here: an unknown challenge is a 408 and a bad key or signature a 406,
 * in the order of contract 4.
 */
export const WalletResponse = z.object({
  /** Hex; judged by the signature core. */
  public_key: z.string(),
  /** Hex DER; judged by the signature core. */
  signature: z.string(),
  /** The challenge string, found by its exact text. */
  challenge: z.string(),
  /** Unix seconds; recorded as `signed_at`, never trusted for expiry. */
  timestamp: UnixSeconds,
  device_info: DeviceInfo.optional(),
});
export type WalletResponse = z.infer<typeof WalletResponse>;
