import { z } from "zod";
import { Name } from "#lib/login/account/messages.ts";
import { PICTURE_LIMIT_BYTES } from "./profile-picture.ts";

const MAX_PICTURE_BASE64 = Math.ceil(PICTURE_LIMIT_BYTES / 3) * 4;

/** `PATCH /api/account/profile`: what is absent stays as it is. */
export const ProfileChange = z.object({
  name: Name.optional(),
  /** A JPEG in base64; null takes the picture away. */
  picture: z.string().max(MAX_PICTURE_BASE64, "expected up to 32 KB").nullish(),
});
