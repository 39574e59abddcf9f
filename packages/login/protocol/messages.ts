import { z } from "zod";
import type { Action } from "./challenge.ts";
import type { RefusalReason } from "./errors.ts";
import type { Intent } from "./qr-payload.ts";

/** The messages from wallets, and the responses from the endpoints in docs/protocol.md#3-login. */

/** Unix seconds that PostgreSQL and ISO 8601 can both hold (until the year 9999). */
const UnixSeconds = z.int().min(0).max(253_402_300_799);

/**
 * Returns the schema of a string of at most this many UTF-16 code units. Zod's `max` counts code points, and serves
 * only the API reference.
 */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.length <= most);

/** A wallet may omit any of these fields. */
export const DeviceInfo = z.object({
  platform: text(100).optional(),
  version: text(100).optional(),
  device_id: text(200).optional(),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

/**
 * A wallet response (docs/protocol.md#15-wallet-response). Only the shape is checked here. Later checks refuse an
 * unknown challenge with 408, and an invalid key or signature with 406.
 */
export const WalletResponse = z.object({
  /** Hex. */
  public_key: z.string(),
  /** DER, in hex. */
  signature: z.string(),
  /** The challenge, found by its exact text. */
  challenge: z.string(),
  /** Unix seconds; recorded as `signed_at`, never trusted for expiry. */
  timestamp: UnixSeconds,
  device_info: DeviceInfo.optional(),
  /**
   * The intent that the wallet showed; null if none (docs/protocol.md#36-intents). Any string is valid here, and one
   * that differs from the code's intent is refused later with 406. A wallet that does not support intents omits it.
   */
  intent: z.string().nullish(),
});
export type WalletResponse = z.infer<typeof WalletResponse>;

/** A readable name of a browser, such as `Firefox on Linux`. */
export type NamedBrowser = { name: string };

/** The response to an accepted wallet response. */
export type ResponseAnswer = {
  status: "authenticated";
  /** The browser that this response signs in. */
  browser: NamedBrowser;
  /** Whether that browser is signing in to this account for the first time. */
  new_browser: boolean;
  /** The undo URL. For ten minutes, a POST to it undoes the login. Absent if that would not sign the browser out. */
  undo?: string;
};

/** The description of the browser that requested a code, for a wallet that has not signed yet. Times are ISO 8601. */
export type CodeDescription = {
  domain: string;
  action: Action;
  intent: Intent | null;
  asked_at: string;
  expires_at: string;
  browser: NamedBrowser;
  /** Whether the browser and the wallet are on the same network: the same IPv4 address or /64. */
  network: "same" | "other" | "unknown";
};

/** The response to `POST /webhook/undo`. */
export type UndoAnswer = { status: "undone" };

/** The response to `GET /api/svc/qr`. `expiresAt` is the end of this challenge, in Unix seconds. */
export type QrAnswer = { sid: string; challenge: string; qr: string; expiresAt: number };

/** The response to `GET /api/svc/check`, and the data of each message from `GET /api/svc/events`. */
export type CheckAnswer =
  | { status: "pending" | "unregistered" }
  | { status: "authenticated"; user_id: number; redirect: string };

/**
 * The data of a `refused` event, which reports that a wallet response was refused. Only the bound browser receives
 * it, and the login's status does not change.
 */
export type RefusedEvent = { reason: RefusalReason };
