import { z } from "zod";
import { operations } from "./operation.ts";

/** The operations on API keys: the console's alone, since a key makes no key (docs/protocol.md#51-authentication). */
export const KEY_OPERATIONS = operations({
  createKey: {
    tag: "Keys",
    method: "POST",
    path: "/keys",
    summary: "Makes an API key.",
    body: z.object({
      /** What the tenant calls it. */
      name: z.string().trim().min(1, "expected a name").max(100, "expected up to 100 characters"),
    }),
    success: {
      status: 201,
      description: "The key, in this answer and nowhere else again.",
      schema: z.object({ id: z.string(), key: z.string() }),
    },
    errors: ["quota_exceeded"],
    limit: "other",
  },

  revokeKey: {
    tag: "Keys",
    method: "DELETE",
    path: "/keys/:id",
    summary: "Revokes an API key at once.",
    success: { status: 204, description: "It is revoked." },
    errors: ["not_found"],
    limit: "other",
  },
});
