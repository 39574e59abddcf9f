import { listAllDomains, updateDomain } from "#lib/hosted/domains/manage-domains.ts";
import { trustDomain } from "#lib/hosted/domains/register-domain.ts";
import { resealSecrets } from "#lib/hosted/domains/webhook-secret.ts";
import { createKey, listAllKeys, revokeKey } from "#lib/hosted/keys/manage-keys.ts";
import { tenantNamed } from "#lib/hosted/tenants/find-tenant.ts";
import { migrateJobs } from "#lib/operations/jobs/start-jobs.ts";
import { db, runWithoutSession } from "#lib/platform/database/db.ts";
import { visibleLine } from "#lib/terminal/visible-text.ts";
import type { AdminCall } from "./arguments.ts";

/** A command's result: as text for people, and as the one object of `--json`. */
export type AdminResult = { text: string; json: Record<string, unknown> };

/**
 * Carries out one call.
 * @param applied the migrations that opening the database has applied
 * @throws {Refusal} with a message for the operator
 */
export async function carryOut(call: AdminCall, applied: string[]): Promise<AdminResult> {
  switch (call.command) {
    case "api-key create":
      return createNamedKey(call);
    case "api-key list":
      return listKeys();
    case "api-key revoke":
      await revokeKey(db(), null, call.id);
      return { text: `Revoked ${call.id}: requests with it get a 401 from now on.`, json: { id: call.id } };
    case "domain trust":
      return trust(call);
    case "domain list":
      return listDomains();
    case "secrets reseal":
      return reseal();
    case "migrate":
      await migrateJobs();
      return {
        text: applied.length > 0 ? `Applied ${applied.join(", ")}.` : "There was nothing to apply.",
        json: { applied },
      };
  }
}

async function createNamedKey(call: Extract<AdminCall, { command: "api-key create" }>): Promise<AdminResult> {
  const owner = await tenantNamed(call.owner);
  const { id, key } = await createKey(db(), owner.id, { mode: call.mode, name: call.name });
  return {
    text: `A ${call.mode} key for ${call.owner}, told only this once:\n\n  ${key}\n\nIts id is ${id}.`,
    json: { id, key },
  };
}

async function listKeys(): Promise<AdminResult> {
  const keys = (await listAllKeys()).map(({ id, owner, mode, name, prefix, ...times }) => ({
    ...{ id, owner: owner.name, mode, name, prefix },
    created_at: times.createdAt.toISOString(),
    last_used_at: times.lastUsedAt?.toISOString() ?? null,
    revoked_at: times.revokedAt?.toISOString() ?? null,
  }));
  const cells = keys.map((key) => [
    ...[key.id, key.owner, key.mode, `${key.prefix}…`, key.name],
    key.revoked_at ? `revoked ${key.revoked_at}` : `last used ${key.last_used_at ?? "never"}`,
  ]);
  const none = "There are no keys yet: npm run admin -- api-key create --mode test --name NAME";
  return { text: formatTable(cells, none), json: { api_keys: keys } };
}

async function trust(call: Extract<AdminCall, { command: "domain trust" }>): Promise<AdminResult> {
  const tenant = { tenantId: (await tenantNamed(call.owner)).id, mode: call.mode };
  const { host: domain, webhookUrl } = call;
  const trusted = await trustDomain(tenant, { domain, webhookUrl });
  const isNew = trusted.webhookSecret !== null;
  if (!isNew && webhookUrl !== undefined)
    await updateDomain(tenant, trusted.id, { webhook_url: webhookUrl }, runWithoutSession);
  const secret = isNew ? `\n\nIts webhook secret, told only this once:\n\n  ${trusted.webhookSecret}` : "";
  return {
    text: `${trusted.domain} (${trusted.id}) is verified in ${call.mode} mode for ${call.owner}.${secret}`,
    json: {
      id: trusted.id,
      domain: trusted.domain,
      ...(isNew && { webhook_secret: trusted.webhookSecret }),
    },
  };
}

async function listDomains(): Promise<AdminResult> {
  const domains = (await listAllDomains()).map(({ id, owner, mode, domain, ...more }) => ({
    ...{ id, owner: owner.name, mode, domain, verified: more.verifiedAt !== null },
    webhook_url: more.webhookUrl,
    created_at: more.createdAt.toISOString(),
  }));
  const cells = domains.map(({ id, owner, mode, domain, verified, webhook_url }) => {
    return [id, owner, mode, domain, verified ? "verified" : "not verified", webhook_url];
  });
  const none = "There are no domains yet: npm run admin -- domain trust HOST --mode test";
  return { text: formatTable(cells, none), json: { domains } };
}

async function reseal(): Promise<AdminResult> {
  const { resealed, current, unreadable } = await resealSecrets();
  const lines = [`${resealed} sealed anew, ${current} were sealed under NEXTAUTH_SECRET already.`];
  if (unreadable.length > 0) {
    lines.push(
      `Neither secret opens those of ${unreadable.join(", ")}: rotate them in the console or by the API.`,
    );
  }
  return { text: lines.join("\n"), json: { resealed, current, unreadable } };
}

/**
 * Lines of cells as text, each column as wide as its widest cell, or `empty` if there are none. Tenants have chosen the
 * names in them, so what a terminal would obey is made visible.
 */
export function formatTable(cells: readonly (readonly string[])[], empty: string): string {
  const lines = cells.map((line) => line.map(visibleLine));
  const columns = Math.max(0, ...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return text.join("\n") || empty;
}
