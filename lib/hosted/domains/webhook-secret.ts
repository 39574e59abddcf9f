import { randomBytes } from "node:crypto";
import { requestDeadline } from "#lib/login/database/database-wait.ts";
import { now } from "#lib/login/process/state.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { db, type Queries, type RunChange } from "#lib/platform/database/db.ts";
import { env, masterSecrets } from "#lib/platform/env.ts";
import type { Tenant } from "../contract/tenant.ts";
import { openSecret, sealSecret } from "../crypto/secret-box.ts";
import { ROTATED_SECRET_SECONDS } from "../numbers.ts";
import { changeDomain } from "./manage-domains.ts";

/** The secrets that sign a domain's events: how they are made, rotated, and sealed anew. */

/** A webhook secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** `POST /domains/{id}/rotate-secret`: events are signed with the previous secret too for 24 hours. */
export async function rotateSecret(tenant: Tenant, id: string, change: RunChange) {
  const webhookSecret = newWebhookSecret();
  const asked = now();
  const previousUntil = addSeconds(asked, ROTATED_SECRET_SECONDS);
  const domain = await changeDomain(tenant, change, (queries) =>
    replaceSecret(queries, tenant, id, { webhookSecret, asked, previousUntil }),
  );
  return {
    id,
    domain,
    webhook_secret: webhookSecret,
    previous_secret_expires_at: previousUntil.toISOString(),
  };
}

/**
 * Replaces a domain's secret; events are signed with the previous one too until `previousUntil`. Gives the domain's
 * name, or null if it is not there or the statement begins too late: nobody would ever see the secret.
 */
export async function replaceSecret(
  queries: Queries,
  { tenantId, mode }: Tenant,
  id: string,
  { webhookSecret, asked, previousUntil }: { webhookSecret: string; asked: Date; previousUntil: Date },
): Promise<string | null> {
  const secret = sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET);
  const [row] = await queries.$queryRaw<{ domain: string }[]>`
    UPDATE domain
    SET previous_secret = secret, previous_secret_until = ${previousUntil}::timestamptz, secret = ${secret}
    WHERE id = ${id} AND owner_id = ${tenantId}::uuid AND mode = ${mode}::api_mode
      AND statement_timestamp() < ${requestDeadline(asked)}::timestamptz
    RETURNING domain`;
  return row?.domain ?? null;
}

/** How many domains were resealed, how many needed nothing, and those whose secret no configured master secret opens. */
type Resealing = { resealed: number; current: number; unreadable: string[] };

/**
 * Seals every webhook secret that is sealed under the previous NEXTAUTH_SECRET under the current one. The last step
 * of a rotation: webhook secrets no longer need the previous one afterwards. May be run again, and while the
 * application runs.
 */
export async function resealSecrets(): Promise<Resealing> {
  const result: Resealing = { resealed: 0, current: 0, unreadable: [] };
  const [current] = masterSecrets();
  const select = { id: true, secret: true, previousSecret: true } as const;
  for (const domain of await db().domain.findMany({ select, orderBy: { id: "asc" } })) {
    const { id } = domain;
    const isCurrent = (box: Uint8Array | null) => !box || openSecret(box, id, [current]) !== null;
    const again = (box: Uint8Array) => {
      const text = openSecret(box, id, masterSecrets());
      return text === null ? null : sealSecret(text, id, current);
    };
    const secret = again(domain.secret);
    if (isCurrent(domain.secret) && isCurrent(domain.previousSecret)) result.current += 1;
    else if (!secret) result.unreadable.push(id);
    else {
      // A domain's previous secret is used for a day at most; one that cannot be opened is dropped.
      const previousSecret = domain.previousSecret && again(domain.previousSecret);
      // Not where they were replaced meanwhile.
      await db().domain.updateMany({ where: domain, data: { secret, previousSecret } });
      result.resealed += 1;
    }
  }
  return result;
}
