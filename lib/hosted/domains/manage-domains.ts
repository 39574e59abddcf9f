import { addSeconds } from "#lib/login/protocol/time.ts";
import { now } from "#lib/platform/clock.ts";
import type { RunChange } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { type Cursor, pageOf } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";
import { sealSecret } from "../crypto/secret-box.ts";
import { assertWebhookUrlReachable } from "../events/assert-webhook-url.ts";
import { newWebhookSecret } from "../ids.ts";
import { ROTATED_SECRET_SECONDS } from "../numbers.ts";
import {
  deleteDomainRow,
  findDomain,
  listDomainRows,
  replaceSecret,
  updateWebhookUrl,
} from "../store/domain.ts";
import { domainDetail, domainItem, unknownDomain } from "./domain-answers.ts";

/** `GET /domains`: a page of the tenant's domains, newest first. */
export async function listDomains(tenant: Tenant, page: { limit: number; cursor?: Cursor | undefined }) {
  const rows = await listDomainRows(tenant, { ...page, limit: page.limit + 1 });
  const { items, nextCursor } = pageOf(rows, page.limit);
  return { domains: items.map(domainItem), next_cursor: nextCursor };
}

/** `GET /domains/{id}`. @throws {ApiError} 404 */
export async function getDomain(tenant: Tenant, id: string) {
  const row = await findDomain(tenant, id);
  if (!row) throw unknownDomain();
  return domainDetail(row);
}

/**
 * `PATCH /domains/{id}`: where its events go from now on; an endpoint that a 410 disabled is enabled again.
 * @throws {ApiError} 404, 400 for a URL that we would not call
 */
export async function updateDomain(
  tenant: Tenant,
  id: string,
  body: { webhook_url: string },
  change: RunChange,
) {
  if (!(await findDomain(tenant, id))) throw unknownDomain();
  const webhookUrl = await assertWebhookUrlReachable(body.webhook_url, tenant);
  if (!(await change((queries) => updateWebhookUrl(queries, tenant, id, webhookUrl)))) throw unknownDomain();
  return getDomain(tenant, id);
}

/** `DELETE /domains/{id}`: with its sessions, events and attempts. @throws {ApiError} 404 */
export async function deleteDomain(tenant: Tenant, id: string, change: RunChange): Promise<void> {
  if (!(await change((queries) => deleteDomainRow(queries, tenant, id)))) throw unknownDomain();
}

/** `POST /domains/{id}/rotate-secret`: events are signed with the previous secret too for 24 hours. @throws {ApiError} 404 */
export async function rotateSecret(tenant: Tenant, id: string, change: RunChange) {
  const webhookSecret = newWebhookSecret();
  const asked = now();
  const until = addSeconds(asked, ROTATED_SECRET_SECONDS);
  const replacement = {
    secret: sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET),
    previousUntil: until,
    now: asked,
  };
  const row = await change((queries) => replaceSecret(queries, tenant, id, replacement));
  if (!row) throw unknownDomain();
  return {
    id,
    domain: row.domain,
    webhook_secret: webhookSecret,
    previous_secret_expires_at: until.toISOString(),
  };
}
