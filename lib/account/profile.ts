import { z } from "zod";
import { db } from "#lib/platform/database/db.ts";
import { DisplayName } from "#packages/login/plugins/account/account-routes.ts";
import { requireRequester } from "#packages/login/plugins/approvals/requester.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import type { RequestHeaders } from "#packages/login/server/web-request.ts";
import { loginCore } from "../login.ts";
import { PICTURE_LIMIT_BYTES, PICTURE_LIMIT_PIXELS, stripJpegMetadata } from "./profile-picture.ts";
import { withLockedSession } from "./store/with-locked-session.ts";

export type Profile = { name: string | null; pictureAt: Date | null };

const EMPTY_PROFILE: Profile = { name: null, pictureAt: null };

export async function readProfile(userId: number): Promise<Profile> {
  const select = { name: true, pictureAt: true };
  return (await db().profile.findUnique({ where: { userId }, select })) ?? EMPTY_PROFILE;
}

/** A JPEG. */
export async function readProfilePicture(userId: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await db().profile.findUnique({ where: { userId }, select: { picture: true } });
  return row?.picture ?? null;
}

const MAX_PICTURE_BASE64 = Math.ceil(PICTURE_LIMIT_BYTES / 3) * 4;

/** The body of `PATCH /api/account/profile`. Missing fields are not changed. */
export const ProfileChange = z.object({
  name: DisplayName.optional(),
  /** A JPEG in base64, or null to remove the picture. */
  picture: z.string().max(MAX_PICTURE_BASE64, "expected up to 32 KB").nullish(),
});

/**
 * Needs no approval, because a name or picture does not give access to the account.
 * @throws {Refusal} 400 if the picture is not a small JPEG, 401 without a session
 */
export async function changeProfile(
  { headers }: { headers: RequestHeaders },
  { name, picture }: z.infer<typeof ProfileChange>,
): Promise<void> {
  const asker = await requireRequester(loginCore(), headers);
  const change = {
    ...(name === undefined ? {} : { name: name || null }),
    ...(picture === null ? { picture, pictureAt: null } : {}),
    ...(picture ? { picture: readJpeg(picture), pictureAt: asker.now } : {}),
  };
  const { userId } = asker;
  await withLockedSession(asker, { needsApproval: false }, (queries) =>
    queries.profile.upsert({ where: { userId }, create: { userId, ...change }, update: change }),
  );
}

function readJpeg(base64: string): Buffer<ArrayBuffer> {
  const jpeg = stripJpegMetadata(Buffer.from(base64, "base64"));
  if (jpeg) return jpeg;
  const expected = `expected a JPEG in base64, up to ${PICTURE_LIMIT_PIXELS} pixels a side`;
  throw refusal("invalid_request", "The picture cannot be read. Choose another one.", {
    details: { fields: { picture: expected } },
  });
}
