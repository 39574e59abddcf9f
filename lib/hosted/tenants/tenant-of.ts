import "server-only";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import {
  createOwnerOfUser,
  ensureOwner,
  findOwner,
  findOwnerOfUser,
  isConsoleUserName,
} from "../store/tenant.ts";

/**
 * The tenant of this name, made when new: what `npm run admin -- … --owner` names.
 * @throws {ApiError} 404 for a console user who is none yet: who made it would be in that user's account
 */
export async function ownerNamed(name: string): Promise<{ id: string }> {
  if (!isConsoleUserName(name)) return ensureOwner(name, now());
  const owner = await findOwner(name);
  if (owner) return owner;
  throw new ApiError(
    "not_found",
    `"${name}" names a user of the console, and there is none by that name who has used it. Choose another name.`,
  );
}

/** The tenant that a console user is, made on first use. Null when the user's account has ended. */
export async function ownerOfUser(userId: number): Promise<{ id: string } | null> {
  return (await findOwnerOfUser(userId)) ?? createOwnerOfUser(userId, now());
}
