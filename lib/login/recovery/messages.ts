import { z } from "zod";

/** What is sent to the endpoints of docs/protocol.md#10-recovery, and what they answer. */

/** `POST /api/recovery` and `POST /api/account/recovery-codes/check`. */
export const TypedCode = z.object({ code: z.string() });

/** `POST /api/account/recovery-codes/confirm`: both codes, in any order. */
export const TypedCodes = z.object({ codes: z.array(z.string()).length(2) });

/** `POST /api/account/recovery-codes`: both codes, shown this once. */
export type NewCodesAnswer = { codes: string[]; status: "unconfirmed" };

/** `POST /api/account/recovery-codes/confirm` and `…/check`. */
export type ActiveCodesAnswer = { status: "active" };

/** `POST /api/recovery`; `expires_at` in ISO 8601. */
export type OpenRecoveryAnswer = { status: "open"; expires_at: string };
