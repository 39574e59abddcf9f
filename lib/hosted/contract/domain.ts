import { z } from "zod";
import { DeliveryItem } from "./event.ts";
import { defineOperations, EXAMPLE_DOMAIN, EXAMPLE_WEBHOOK_URL, textSchema } from "./operation.ts";
import { NextCursor, PageQuery } from "./page.ts";

const Id = textSchema("The domain's identifier, `dom_…`.", "dom_…");
const Hostname = textSchema("Hostname, lower-case ASCII.", EXAMPLE_DOMAIN);
const Verified = z.boolean().describe("Whether the domain is verified; false on registration.");
const WebhookUrl = textSchema("Where its events are posted.", EXAMPLE_WEBHOOK_URL);
const Time = z.iso.datetime();
const WebhookSecret = textSchema(
  "`whsec_` and 32 bytes in base64. Signs the domain's events. Shown only this once.",
  "whsec_…",
);
const VerificationToken = textSchema(
  "`svc-verify=<token>`: the value of a TXT record or the text of the well-known file.",
  "svc-verify=…",
);

export const DomainItem = z.object({
  id: Id,
  domain: Hostname,
  verified: Verified,
  webhook_url: WebhookUrl,
  created_at: Time,
});
export type DomainItem = z.infer<typeof DomainItem>;

/** docs/protocol.md#9-delegation */
export const DomainDelegation = z.object({
  status: z
    .enum(["ok", "missing", "invalid", "unchecked"])
    .describe(
      "`ok`: wallets send their answers to this API, because the domain names its host or is its host. `missing`: there is no file, or the host does not answer. `invalid`: the file is malformed or does not name this API. `unchecked`: the API has not checked yet, or in test mode cannot check, because the name has no public address.",
    ),
  checked_at: Time.nullable().describe("The time of the last check."),
  reason: z
    .string()
    .nullable()
    .meta({ description: "The problem as a sentence; null if there is none.", examples: [null] }),
});
export type DomainDelegation = z.infer<typeof DomainDelegation>;

export const DomainDetail = DomainItem.extend({
  verification_token: VerificationToken,
  verified_at: Time.nullable().describe("The time at which it was verified."),
  disabled_at: Time.nullable().meta({
    description:
      "The time at which its endpoint answered 410. No event is sent until `webhook_url` is set again.",
    examples: [null],
  }),
  delegation: DomainDelegation.describe(
    "Whether wallets send answers for this domain to this API, by `https://<domain>/.well-known/svc-login`, according to the last check. `POST /domains/{id}/verify` checks it, and verified domains are checked daily.",
  ),
});
export type DomainDetail = z.infer<typeof DomainDetail>;

export const ProofFinding = z.object({
  looked_at: z.string().describe("`TXT example.com`, or the well-known file's URL."),
  found: z.string().describe("The text that was found there, or the reason why it could not be read."),
});
export type ProofFinding = z.infer<typeof ProofFinding>;

const UrlInput = z
  .string("expected an https URL")
  .describe(
    "An absolute https URL of up to 2,048 characters whose host is a public name: no user name, fragment, address, special-use name, unknown or public suffix, and no port that browsers block.",
  );

export const DOMAIN_OPERATIONS = defineOperations("Domains", {
  listDomains: {
    route: "GET /domains",
    summary: "Lists domains, newest first.",
    query: PageQuery,
    success: {
      status: 200,
      description: "A page of domains.",
      schema: z.object({ domains: z.array(DomainItem), next_cursor: NextCursor }),
    },
  },

  createDomain: {
    route: "POST /domains",
    summary: "Registers a domain.",
    description:
      "A hostname only: no scheme, port, path, IP address or public suffix. International names are stored in their `xn--` form. In test mode `localhost` and names under `.localhost` and `.test` may be registered too, and count as verified. A tenant has at most 100 domains, of both modes together.",
    body: z.object({
      domain: z.string("expected a hostname").describe("A hostname such as `login.example.com`."),
      webhook_url: UrlInput,
    }),
    success: {
      status: 201,
      description: "The domain, with the secret that signs its events.",
      schema: z.object({
        id: Id,
        domain: Hostname,
        verified: Verified,
        verification_token: VerificationToken,
        webhook_url: WebhookUrl,
        webhook_secret: WebhookSecret,
      }),
    },
    errors: ["domain_already_registered", "quota_exceeded"],
    example: { domain: EXAMPLE_DOMAIN, webhook_url: EXAMPLE_WEBHOOK_URL },
  },

  getDomain: {
    route: "GET /domains/:id",
    summary: "Reads a domain.",
    success: { status: 200, description: "The domain.", schema: DomainDetail },
    errors: ["domain_not_found"],
  },

  updateDomain: {
    route: "PATCH /domains/:id",
    summary: "Changes where a domain's events are posted.",
    description:
      "Pending events go to the new URL from their next attempt on. An endpoint that was disabled by a 410 is enabled again.",
    body: z.object({ webhook_url: UrlInput }),
    example: { webhook_url: EXAMPLE_WEBHOOK_URL },
    success: { status: 200, description: "The domain.", schema: DomainDetail },
    errors: ["domain_not_found"],
  },

  deleteDomain: {
    route: "DELETE /domains/:id",
    summary: "Deletes a domain with its sessions, its events and their attempts.",
    success: { status: 204, description: "The domain is deleted." },
    errors: ["domain_not_found"],
  },

  verifyDomain: {
    route: "POST /domains/:id/verify",
    summary: "Checks a domain's proof and its delegation.",
    description:
      "The domain is verified if its `verification_token` is in a TXT record of the domain or of `_svc-challenge.<domain>`, or is the body of `https://<domain>/.well-known/svc-challenge.txt`. If several tenants register a live domain, it belongs to the first one that proves ownership. A verified domain needs no further proof. In any case, the domain's delegation is checked too, and `GET /domains/{id}` shows the result.",
    success: {
      status: 200,
      description: "The domain is verified.",
      schema: z.object({ id: Id, domain: Hostname, verified: z.literal(true), verified_at: Time }),
    },
    errors: ["domain_not_found", "domain_verification_failed"],
  },

  rotateSecret: {
    route: "POST /domains/:id/rotate-secret",
    summary: "Creates a new webhook secret.",
    description:
      "For 24 hours `webhook-signature` also contains a signature made with the previous secret, even after further rotations. `x-svc-signature` uses the new one immediately. At most four previous secrets are in use at a time. After that, another rotation gets 422 until the first of them expires.",
    success: {
      status: 200,
      description: "The new secret.",
      schema: z.object({
        id: Id,
        domain: Hostname,
        webhook_secret: WebhookSecret,
        previous_secret_expires_at: Time.describe(
          "Until then, events are also signed with the previous secret.",
        ),
      }),
    },
    errors: ["domain_not_found", "quota_exceeded"],
  },

  sendTestEvent: {
    route: "POST /domains/:id/test-event",
    summary: "Sends an event of the kind `test` to a domain's URL.",
    description:
      "The event has the same form as any other, and is signed, retried and logged in the same way. Its `session_id` is `test`. Its key, signature and challenge are generated for this event, and the signature is valid. While the domain is not verified, there is one attempt and no retry, and a tenant can send ten such events an hour, for all its domains and both modes together.",
    success: { status: 202, description: "The event is being sent.", schema: DeliveryItem },
    errors: ["domain_not_found"],
  },
});
