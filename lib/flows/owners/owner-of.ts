import "server-only";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import {
  createOwnerOfUser,
  ensureOwner,
  findOwner,
  findOwnerOfUser,
  isConsoleUserName,
} from "#lib/store/owner.ts";

/**
 * The owner of this name, made when new: what `npm run admin -- … --owner` names (contract 1).
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

/** The owner that a console user is, made on first use. */
export async function ownerOfUser(userId: number): Promise<{ id: string }> {
  return (await findOwnerOfUser(userId)) ?? createOwnerOfUser(userId, now());
}
