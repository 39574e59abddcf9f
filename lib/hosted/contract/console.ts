import { z } from "zod";
import { DeliveryItem } from "./event.ts";
import { defineOperations, type Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { CreatedSession, ListedSession } from "./session.ts";

/**
 * Only the console offers these operations, because an API key cannot create other keys
 * (docs/protocol.md#51-authentication).
 */
export const KEY_OPERATIONS = defineOperations("Keys", {
  createKey: {
    route: "POST /keys",
    summary: "Creates an API key.",
    body: z.object({
      /** The tenant's own name for the key. */
      name: z.string().trim().min(1, "expected a name").max(100, "expected up to 100 characters"),
    }),
    success: {
      status: 201,
      description: "The key. No other answer contains it.",
      schema: z.object({ id: z.string(), key: z.string() }),
    },
    errors: ["quota_exceeded"],
  },

  revokeKey: {
    route: "DELETE /keys/:id",
    summary: "Revokes an API key immediately.",
    success: { status: 204, description: "The key is revoked." },
    errors: ["not_found"],
  },
});

export const LoginTimeline = z.object({
  session: ListedSession.extend({ public_key: z.string().nullable() }),
  entries: z.array(
    z.object({ id: z.string(), at: z.iso.datetime(), kind: z.string(), reason: z.string().nullable() }),
  ),
  deliveries: z.array(DeliveryItem),
});
export type LoginTimeline = z.infer<typeof LoginTimeline>;

/** `refused` counts logins whose events no server has accepted. */
export type HourlyLoginCounts = { start: string; logins: number; refused: number };

export const TEST_LOGIN_OPERATIONS = defineOperations("Sessions", {
  startTestLogin: {
    route: "POST /test-logins",
    summary:
      "Creates a session for a test login, and registers localhost with the test inbox if no domain is named.",
    body: z.object({ domain: z.string().max(253).optional() }),
    success: {
      status: 201,
      description: "The pending session.",
      schema: CreatedSession.pick({ id: true, qr_data: true }),
    },
    errors: ["not_found", "domain_not_registered", "domain_not_verified", "quota_exceeded"],
    limit: "create_session",
  },

  readTimeline: {
    route: "GET /sessions/:id/timeline",
    summary: "Reads what happened in a login.",
    success: { status: 200, description: "The login.", schema: LoginTimeline },
    errors: ["session_not_found"],
    limit: "read_session",
  },
});

export const CONSOLE_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS,
  ...Object.values(KEY_OPERATIONS),
  ...Object.values(TEST_LOGIN_OPERATIONS),
];
