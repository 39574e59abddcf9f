import { z } from "zod";
import { CUSTOM_DATA_LIMIT_BYTES } from "../numbers.ts";
import { LoginAction, PublicKey } from "./event.ts";
import { defineOperations, EXAMPLE_DOMAIN, EXAMPLE_SESSION_ID, textSchema } from "./operation.ts";
import { NextCursor, PageQuery } from "./page.ts";

const SessionId = textSchema("The session's identifier.", EXAMPLE_SESSION_ID);
const Timestamp = z.iso.datetime({ precision: 3 });
const ExpiresAt = Timestamp.describe("The end of the current challenge, 30 seconds after it was issued.");
const AuthenticatedAt = Timestamp.describe("The time at which the wallet's signature was accepted.");
const UndoneAt = Timestamp.optional().describe(
  "When the wallet's user undid the login; absent otherwise. Do not sign anyone in with such a session.",
);
const ChallengeText = textSchema(
  "The current challenge: `svc:{action}:{domain}:{timestamp}:{nonce}`.",
  `svc:login:${EXAMPLE_DOMAIN}:1767225600:Zk3…`,
);
const QrData = textSchema(
  "The text of the QR code: `svc://auth?webhook=…&session=…&challenge=…&ts=…`.",
  "svc://auth?webhook=…&session=…&challenge=…&ts=1767225600",
);

const Url = z.url({ protocol: /^https?$/, error: "expected an http or https URL" }).max(2048);

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const Address = z.union([z.ipv4(), z.ipv6()]);
/** A socket's IPv6 address can end with the name of its network interface. */
const isAddress = (text: string) => Address.safeParse(text.replace(/%\w+$/, "")).success;

/** The browser that shows the QR code (docs/protocol.md#113-hosted-login). */
export const SessionClient = z
  .object({
    user_agent: z
      .string("expected the browser's User-Agent")
      .optional()
      .describe("The browser's `User-Agent`. The first 200 bytes are stored."),
    address: z
      .string("expected an IPv4 or IPv6 address")
      .refine(isAddress, "expected an IPv4 or IPv6 address")
      .optional()
      .describe(
        "The browser's address, IPv4 or IPv6, to check whether the wallet is on the same network. A keyed hash of it is kept.",
      ),
  })
  .describe("The browser that shows the code. Wallets show it to their users before they sign.");
export type SessionClient = z.infer<typeof SessionClient> | undefined;

const EXAMPLE_CLIENT = {
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};

/**
 * Allows letters and digits of every script. Does not use `z.regex`, which would publish the pattern: most clients
 * cannot compile `\p`.
 */
const looksLikeHostname = (text: string) => /^[\p{L}\p{M}\p{N}.-]+$/u.test(text);

export const SessionMetadata = z.object({
  return_url: Url.optional().describe(
    "Where the user continues after the login: an https URL on the domain.",
  ),
  custom_data: z
    .string()
    .refine((text) => bytesOf(text) <= CUSTOM_DATA_LIMIT_BYTES, "expected 4 KB or less")
    .optional()
    .describe("Your own data, up to 4 KB."),
});

/** Rules that depend on the domain are checked later, when the domain has been read. */
export const CreateSession = z.object({
  domain: z
    .string("expected the registered domain")
    .max(253, "expected the registered domain")
    .refine(looksLikeHostname, "expected a hostname: no scheme, port or path")
    .describe("The registered domain that the user signs in to."),
  mode: LoginAction.default("login").describe("The action that the user is asked to approve."),
  webhook_url: z
    .string("expected an https URL")
    .optional()
    .describe(
      "Where this session's event goes, instead of the domain's webhook URL: on the domain's own host.",
    ),
  metadata: SessionMetadata.optional(),
  client: SessionClient.optional(),
});
export type CreateSession = z.infer<typeof CreateSession>;

export const RefreshSession = z.object({ client: SessionClient.optional() });
export type RefreshSession = z.infer<typeof RefreshSession>;

const issued = { challenge: ChallengeText, qr_data: QrData, expires_at: ExpiresAt };

export const CreatedSession = z.object({
  id: SessionId,
  ...issued,
  status: z.literal("pending"),
  created_at: Timestamp,
});
export type CreatedSession = z.infer<typeof CreatedSession>;

export const RefreshedSession = z.object({ id: SessionId, ...issued });
export type RefreshedSession = z.infer<typeof RefreshedSession>;

export const SessionUser = z.object({
  public_key: PublicKey,
  device_info: z
    .object({ platform: z.string().optional(), version: z.string().optional() })
    .meta({ examples: [{ platform: "ios", version: "2.1.0" }] }),
});

export const PendingSession = z.object({
  id: SessionId,
  status: z.literal("pending"),
  expires_at: ExpiresAt,
});

export const AuthenticatedSession = z.object({
  id: SessionId,
  status: z.literal("authenticated"),
  authenticated_at: AuthenticatedAt,
  undone_at: UndoneAt,
  user: SessionUser,
});

export const SessionState = z.discriminatedUnion("status", [PendingSession, AuthenticatedSession]);
export type SessionState = z.infer<typeof SessionState>;

export const SessionStatus = z.enum(["pending", "authenticated"]);

export const ListedSession = z.object({
  id: SessionId,
  domain: z.string().meta({ examples: [EXAMPLE_DOMAIN] }),
  mode: LoginAction,
  status: SessionStatus,
  created_at: Timestamp,
  expires_at: ExpiresAt,
  authenticated_at: AuthenticatedAt.optional(),
  undone_at: UndoneAt,
});
export type ListedSession = z.infer<typeof ListedSession>;

export const SESSION_OPERATIONS = defineOperations("Sessions", {
  createSession: {
    route: "POST /sessions",
    summary: "Creates a session.",
    description:
      "Issues a challenge for a registered domain. Show `qr_data` as a QR code, and ask for a new challenge when it expires.",
    body: CreateSession,
    example: { domain: EXAMPLE_DOMAIN, mode: "login", client: EXAMPLE_CLIENT },
    headers: {
      "Idempotency-Key":
        "Up to 255 printable characters that you choose. For 24 hours, a request with the same key and the same body gets the same answer, and does not create a second session.",
    },
    success: { status: 201, description: "The pending session.", schema: CreatedSession },
    errors: ["domain_not_registered", "domain_not_verified", "idempotency_conflict"],
    limit: "create_session",
  },

  listSessions: {
    route: "GET /sessions",
    summary: "Lists sessions, newest first.",
    description: "A session is stored for 24 hours.",
    query: PageQuery,
    success: {
      status: 200,
      description: "A page of sessions.",
      schema: z.object({ sessions: z.array(ListedSession), next_cursor: NextCursor }),
    },
    limit: "read_session",
  },

  getSession: {
    route: "GET /sessions/:id",
    summary: "Reads a session.",
    description:
      "A pending session with an expired challenge gets 410 until it is refreshed. An authenticated one can be read for 24 hours.",
    success: { status: 200, description: "The session's state.", schema: SessionState },
    errors: ["session_not_found", "session_expired"],
    limit: "read_session",
  },

  refreshSession: {
    route: "POST /sessions/:id/refresh",
    summary: "Issues a new challenge for a session.",
    description:
      "For a pending session, up to ten minutes after its last challenge. The previous challenge stays valid until it expires. The body can be omitted. Omitted members of `client` do not change.",
    body: RefreshSession,
    bodyIsOptional: true,
    example: { client: EXAMPLE_CLIENT },
    success: { status: 200, description: "The new challenge.", schema: RefreshedSession },
    errors: ["session_not_found", "session_expired", "session_already_authenticated"],
  },
});
