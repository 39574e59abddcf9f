import { randomBytes } from "node:crypto";
import { db, type PrismaQueries, type RunChange } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { env, masterSecrets } from "#lib/platform/env.ts";
import { computeStatementDeadline, prismaDatabase } from "#packages/login/database/database.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { now } from "#packages/login/process/state.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import { addSeconds } from "#packages/login/protocol/numbers.ts";
import type { Tenant } from "../contract/tenant.ts";
import { openSecret, sealSecret } from "../crypto/secret-box.ts";
import { PREVIOUS_SECRET_LIFETIME_SECONDS, PREVIOUS_SECRETS_PER_DOMAIN } from "../numbers.ts";
import { runDomainChange } from "./manage-domains.ts";

/** `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** `POST /domains/{id}/rotate-secret`. For 24 hours, the replaced secret also signs events. */
export async function rotateWebhookSecret(tenant: Tenant, id: string, change: RunChange) {
  const webhookSecret = generateWebhookSecret();
  const rotatedAt = now();
  const previousUntil = addSeconds(rotatedAt, PREVIOUS_SECRET_LIFETIME_SECONDS);
  const domain = await runDomainChange(tenant, change, (queries) =>
    replaceWebhookSecret(queries, tenant, id, { webhookSecret, rotatedAt, previousUntil }),
  );
  return {
    id,
    domain,
    webhook_secret: webhookSecret,
    previous_secret_expires_at: previousUntil.toISOString(),
  };
}

const ROTATE = svcFunction("rotate_secret", [
  "tenantId",
  "tenantMode",
  "domainId",
  "newSecret",
  "previousUntil",
  "maxPrevious",
  "now",
  "deadline",
]);

/**
 * Previous secrets also sign events: the replaced one until `previousUntil`, and earlier ones until their own expiry.
 * @returns the domain's name; null if the domain was deleted, or after the request's deadline, when the new secret
 * could not be shown
 * @throws {Refusal} 422 if too many previous secrets still sign, because each of them must continue to sign until its
 * own expiry
 */
export async function replaceWebhookSecret(
  queries: PrismaQueries,
  { tenantId, mode }: Tenant,
  id: string,
  {
    webhookSecret,
    rotatedAt,
    previousUntil,
  }: { webhookSecret: string; rotatedAt: Date; previousUntil: Date },
): Promise<string | null> {
  const secret = sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET);
  const row = await callSqlFunction<{ domain: string; signing: number; firstEnd: Date | null }>(
    prismaDatabase(queries),
    ROTATE,
    {
      tenantId,
      tenantMode: mode,
      domainId: id,
      newSecret: secret,
      previousUntil,
      maxPrevious: PREVIOUS_SECRETS_PER_DOMAIN,
      now: rotatedAt,
      deadline: computeStatementDeadline(rotatedAt),
    },
  );
  if (!row) return null;
  if (row.signing >= PREVIOUS_SECRETS_PER_DOMAIN) throw tooManySecrets(row.firstEnd);
  return row.domain;
}

function tooManySecrets(firstEnd: Date | null): Refusal {
  const limit = PREVIOUS_SECRETS_PER_DOMAIN;
  const at = firstEnd?.toISOString() ?? null;
  return refusal(
    "quota_exceeded",
    `The secret was rotated ${limit} times in 24 hours, and all previous secrets are still used to sign events. The first of them expires at ${at}. Rotate the secret again then.`,
    { details: { limit, first_ends_at: at } },
  );
}

/**
 * `current` counts the domains that needed no resealing; `unreadable` lists those whose secrets could not be decrypted.
 */
type Resealing = { resealed: number; current: number; unreadable: string[] };

/**
 * Reseals from the previous NEXTAUTH_SECRET to the current one. This is a rotation's last step: afterwards, the webhook
 * secrets no longer need the previous one. Can be repeated, and can run while the application is running.
 */
export async function resealWebhookSecrets(): Promise<Resealing> {
  const result: Resealing = { resealed: 0, current: 0, unreadable: [] };
  const [current] = masterSecrets();
  const select = {
    ...{ id: true, secret: true, previousSecret: true },
    ...{ earlierSecrets: true, earlierSecretsUntil: true },
  } as const;
  for (const domain of await db().domain.findMany({ select, orderBy: { id: "asc" } })) {
    const { id, earlierSecrets, earlierSecretsUntil, ...sealed } = domain;
    const isCurrent = (box: Uint8Array | null) => !box || openSecret(box, id, [current]) !== null;
    const reseal = (box: Uint8Array) => {
      const text = openSecret(box, id, masterSecrets());
      return text === null ? null : sealSecret(text, id, current);
    };
    const secret = reseal(domain.secret);
    if ([domain.secret, domain.previousSecret, ...earlierSecrets].every(isCurrent)) result.current += 1;
    else if (!secret) result.unreadable.push(id);
    else {
      // A domain's previous secret is used for only a day, so it is dropped if it cannot be decrypted.
      const previousSecret = domain.previousSecret && reseal(domain.previousSecret);
      const earlier = earlierSecrets.flatMap((box, place) => {
        const [text, until] = [reseal(box), earlierSecretsUntil[place]];
        return text && until ? [{ text, until }] : [];
      });
      const data = {
        ...{ secret, previousSecret },
        earlierSecrets: earlier.map(({ text }) => text),
        earlierSecretsUntil: earlier.map(({ until }) => until),
      };
      // Skips domains whose secrets were replaced in the meantime.
      await db().domain.updateMany({ where: { id, ...sealed }, data });
      result.resealed += 1;
    }
  }
  return result;
}
