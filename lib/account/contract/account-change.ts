import { z } from "zod";

/** `POST /api/account/changes/dismiss`: the changes that this browser hides from now on. */
export const DismissedChanges = z.object({
  ids: z.array(z.string().regex(/^[1-9][0-9]{0,17}$/, "expected the id of a change")).max(100),
});
