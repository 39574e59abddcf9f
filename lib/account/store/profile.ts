import { db, type Queries } from "#lib/platform/database/db.ts";

/** What a user chose to be called and shown as. */
export type Profile = { name: string | null; pictureAt: Date | null };

const NONE: Profile = { name: null, pictureAt: null };

export async function readProfile(userId: number): Promise<Profile> {
  const select = { name: true, pictureAt: true };
  return (await db().profile.findUnique({ where: { userId }, select })) ?? NONE;
}

/** A user's picture, as a JPEG; null where they have none. */
export async function readPicture(userId: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await db().profile.findUnique({ where: { userId }, select: { picture: true } });
  return row?.picture ?? null;
}

/** Writes what is there of a change; the rest stays as it is. */
export async function writeProfile(
  queries: Queries,
  userId: number,
  change: Partial<Profile> & { picture?: Uint8Array<ArrayBuffer> | null },
): Promise<void> {
  await queries.profile.upsert({ where: { userId }, create: { userId, ...change }, update: change });
}
