import { z } from "zod";
import type { Action } from "./challenge.ts";
import type { RefusalReason } from "./errors.ts";
import type { Intent } from "./qr-payload.ts";

/** docs/protocol.md#3-login */

/** Up to the year 9999, which both PostgreSQL and ISO 8601 can represent. */
const UnixSeconds = z.int().min(0).max(253_402_300_799);

/** `most` counts UTF-16 code units. Zod's `max` counts code points, and is only used for the API reference. */
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
 * The schema checks only the shape (docs/protocol.md#15-wallet-response). Later checks refuse an unknown challenge with
 * 408, and an invalid key or signature with 406.
 */
export const WalletResponse = z.object({
  /** Hex */
  public_key: z.string(),
  /** DER, hex */
  signature: z.string(),
  challenge: z.string(),
  /** In Unix seconds. Stored as `signed_at`, but not used to check whether the challenge has expired. */
  timestamp: UnixSeconds,
  device_info: DeviceInfo.optional(),
  /**
   * Null if the wallet showed no intent (docs/protocol.md#36-intents). A wallet that does not support intents omits
   * this field. The schema accepts any string. A response whose intent differs from the code's is later refused with
   * 406.
   */
  intent: z.string().nullish(),
});
export type WalletResponse = z.infer<typeof WalletResponse>;

export type NamedBrowser = { name: string };

export type ResponseAnswer = {
  status: "authenticated";
  browser: NamedBrowser;
  /** True if that browser is signing in to this account for the first time. */
  new_browser: boolean;
  /** Within ten minutes, a POST to this URL undoes the login. Absent if an undo could not sign out the browser. */
  undo?: string;
};

/** The browser that requested a code, for a wallet that has not signed yet. Times are in ISO 8601. */
export type CodeDescription = {
  domain: string;
  action: Action;
  intent: Intent | null;
  asked_at: string;
  expires_at: string;
  browser: NamedBrowser;
  /** `same` means the same IPv4 address or IPv6 /64. */
  network: "same" | "other" | "unknown";
};

/** `POST /webhook/undo` */
export type UndoAnswer = { status: "undone" };

/** `GET /api/svc/qr`. `expiresAt` is in Unix seconds. */
export type QrAnswer = { sid: string; challenge: string; qr: string; expiresAt: number };

/** `GET /api/svc/check`, and the data of each message from `GET /api/svc/events`. */
export type CheckAnswer =
  | { status: "pending" | "unregistered" }
  | { status: "authenticated"; user_id: number; redirect: string };

/**
 * The data of a `refused` event. Only the browser to which the login is bound receives this event. The login's status
 * does not change.
 */
export type RefusedEvent = { reason: RefusalReason };
