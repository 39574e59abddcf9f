import "server-only";
import { now } from "#lib/platform/clock.ts";
import { createOwnerOfUser, ensureOwner, findOwnerOfUser } from "../store/tenant.ts";

/** The owner of this name, made when new: what `npm run admin -- … --owner` names (contract 1). */
export async function ownerNamed(name: string): Promise<{ id: string }> {
  return ensureOwner(name, now());
}

/** The owner that a console user is, made on first use. */
export async function ownerOfUser(userId: number): Promise<{ id: string }> {
  return (await findOwnerOfUser(userId)) ?? createOwnerOfUser(userId, `user:${userId}`, now());
}
