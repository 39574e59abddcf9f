import { z } from "zod";

/** What is sent to the endpoints of docs/protocol.md#10-recovery, and what they answer. */

/** Longer than any code, however it is typed. */
const Typed = z.string().max(200);

/** `POST /api/recovery` and `POST /api/account/recovery-codes/check`. */
export const TypedCode = z.object({ code: Typed });

/** `POST /api/account/recovery-codes/confirm`: both codes, in any order. */
export const TypedCodes = z.object({ codes: z.array(Typed).length(2) });

/** `POST /api/account/recovery-codes`: both codes, shown this once. */
export type NewCodesAnswer = { codes: string[]; status: "unconfirmed" };

/** `POST /api/account/recovery-codes/confirm` and `…/check`. */
export type ActiveCodesAnswer = { status: "active" };

/** `POST /api/recovery`; `expires_at` in ISO 8601. */
export type OpenRecoveryAnswer = { status: "open"; expires_at: string };
