/** What a user can approve with: a wallet's key (login) or an address (fast login). */
export const APPROVAL_WAYS = ["public_key", "address"] as const;

export type ApprovalWay = (typeof APPROVAL_WAYS)[number];

/** The `details` of `approval_required`: what the user can approve with, what this browser signed in with first. */
export type ApprovalDetails = { approve_with: ApprovalWay[] };
