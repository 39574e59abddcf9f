import { z } from "zod";

/** `POST /api/account/credentials`: adds what a wallet answered with to the signed-in user. */
export const CredentialAddition = z.object({
  /** The login session that the wallet answered. */
  sid: z.string().max(128),
});

/** What a user calls something; empty takes the name away. */
export const Name = z
  .string()
  .trim()
  .max(60, "expected up to 60 characters")
  // Invisible characters could make one way to sign in look like another.
  .regex(/^\P{C}*$/u, "expected letters, digits, marks and spaces");

/** `PATCH /api/account/credentials/{id}` */
export const CredentialName = z.object({ label: Name });

/** `POST /api/account/changes/dismiss`: the changes that this browser hides from now on. */
export const DismissedChanges = z.object({
  ids: z.array(z.string().regex(/^[1-9][0-9]{0,17}$/, "expected the id of a change")).max(100),
});
