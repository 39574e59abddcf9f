import { API_MODES, type ApiMode, isApiMode, OPERATOR_TENANT_NAME } from "#lib/hosted/contract/tenant.ts";
import { listAllDomains, updateDomain } from "#lib/hosted/domains/manage-domains.ts";
import { verifyDomainWithoutProof } from "#lib/hosted/domains/register-domain.ts";
import { resealWebhookSecrets } from "#lib/hosted/domains/webhook-secret.ts";
import { createApiKey, listAllApiKeys, revokeApiKey } from "#lib/hosted/keys/manage-keys.ts";
import { findOrCreateTenant } from "#lib/hosted/tenants/find-tenant.ts";
import { migrateJobTables } from "#lib/operations/jobs/start-jobs.ts";
import { db, runChangeWithoutSession } from "#lib/platform/database/db.ts";
import { type Call, type CommandLine, readCommandLine, UsageError } from "#packages/terminal/command-line.ts";
import { toVisibleLine } from "#packages/terminal/visible-text.ts";

/** For people, and for `--json`. */
export type AdminResult = { text: string; json: Record<string, unknown> };

/**
 * `act` receives the migrations that were applied when the database was opened, and throws a `Refusal` with a message
 * for the operator.
 */
export type AdminCall = { command: string; act: (applied: string[]) => Promise<AdminResult> };

type CommandTarget = { mode: ApiMode; owner: string };

const NAME_LIMIT_CHARACTERS = 100;

export const COMMAND_LINE = {
  program: "npm run admin --",
  about: "Keys and domains of the hosted API, and the database, for the operator.",
  commands: {
    "api-key create": {
      with: "--mode live|test --name NAME [--owner OWNER]",
      does: "make a key; it is shown once",
    },
    "api-key list": { does: "every owner's keys" },
    "api-key revoke": { takes: "ID", does: "revoke a key immediately" },
    "domain trust": {
      takes: "HOST",
      with: "--mode live|test [--owner OWNER] [--webhook-url URL]",
      does: "register a domain when needed, and mark it verified",
    },
    "domain list": { does: "every owner's domains" },
    "secrets reseal": {
      does: "seal webhook secrets under NEXTAUTH_SECRET that are sealed under NEXTAUTH_SECRET_PREVIOUS",
    },
    migrate: { does: "bring the database to the schema of this version" },
  },
  options: {
    mode: { value: API_MODES.join("|"), does: "whether it is for production or for the sandbox" },
    name: { value: "NAME", does: "what the key is called" },
    owner: {
      value: "OWNER",
      default: OPERATOR_TENANT_NAME,
      does: "the tenant that it belongs to, made when new, or user:ID of the console",
    },
    "webhook-url": { value: "URL", does: "where the domain's events go" },
    json: { does: "print one JSON object on the last line" },
  },
  notes: `Examples
  npm run admin -- api-key create --mode test --name "my laptop"
  npm run admin -- domain trust localhost --mode test --webhook-url http://localhost:4000/events

The database is the application's own: DATABASE_URL, or the embedded one, whether the application runs or not.
Exit status: 0 on success, 1 otherwise.`,
} satisfies CommandLine;

/**
 * Called before the database is opened.
 * @returns null if help is requested
 * @throws {UsageError} with a sentence that explains the error
 */
export function readArguments(args: readonly string[]): AdminCall | null {
  const call = args.length > 0 ? readCommandLine(COMMAND_LINE, args) : null;
  return call && { command: call.command, act: actOf(call) };
}

function actOf({ command, values, subjects: [subject = ""] }: Call<typeof COMMAND_LINE>): AdminCall["act"] {
  const mode = () => readMode(values.mode);
  const owner = () => readName("--owner", values.owner);
  switch (command) {
    case "api-key create": {
      const key = { mode: mode(), name: readName("--name", values.name), owner: owner() };
      return () => createNamedKey(key);
    }
    case "api-key list":
      return listKeys;
    case "api-key revoke":
      return () => revoke(subject);
    case "domain trust": {
      const target = { mode: mode(), owner: owner() };
      return () => trust(target, subject, values["webhook-url"]);
    }
    case "domain list":
      return listDomains;
    case "secrets reseal":
      return reseal;
    case "migrate":
      return reportApplied;
  }
}

function readMode(value: string | undefined): ApiMode {
  if (isApiMode(value)) return value;
  throw new UsageError(`Say --mode ${API_MODES.join(" or --mode ")}.`);
}

function readName(option: string, value: string | undefined): string {
  const name = value?.trim() ?? "";
  if (name === "") throw new UsageError(`Add ${option} with a name.`);
  if (name.length > NAME_LIMIT_CHARACTERS || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new UsageError(`${option} takes up to ${NAME_LIMIT_CHARACTERS} characters on one line.`);
  }
  return name;
}

async function createNamedKey({ mode, owner, name }: CommandTarget & { name: string }): Promise<AdminResult> {
  const { id, key } = await createApiKey(db(), (await findOrCreateTenant(owner)).id, { mode, name });
  return {
    text: `A ${mode} key for ${owner}, shown only once:\n\n  ${key}\n\nIts id is ${id}.`,
    json: { id, key },
  };
}

async function revoke(id: string): Promise<AdminResult> {
  await revokeApiKey(db(), null, id);
  return { text: `Revoked ${id}: requests with it get a 401 from now on.`, json: { id } };
}

async function listKeys(): Promise<AdminResult> {
  const keys = (await listAllApiKeys()).map(({ id, owner, mode, name, prefix, ...times }) => ({
    ...{ id, owner: owner.name, mode, name, prefix },
    created_at: times.createdAt.toISOString(),
    last_used_at: times.lastUsedAt?.toISOString() ?? null,
    revoked_at: times.revokedAt?.toISOString() ?? null,
  }));
  const cells = keys.map((key) => [
    ...[key.id, key.owner, key.mode, `${key.prefix}…`, key.name],
    key.revoked_at ? `revoked ${key.revoked_at}` : `last used ${key.last_used_at ?? "never"}`,
  ]);
  const emptyText = "There are no keys yet: npm run admin -- api-key create --mode test --name NAME";
  return { text: formatTable(cells, emptyText), json: { api_keys: keys } };
}

async function trust(
  { mode, owner }: CommandTarget,
  domain: string,
  webhookUrl?: string,
): Promise<AdminResult> {
  const tenant = { tenantId: (await findOrCreateTenant(owner)).id, mode };
  const trusted = await verifyDomainWithoutProof(tenant, { domain, webhookUrl });
  const isNew = trusted.webhookSecret !== null;
  if (!isNew && webhookUrl !== undefined)
    await updateDomain(tenant, trusted.id, { webhook_url: webhookUrl }, runChangeWithoutSession);
  const secret = isNew ? `\n\nIts webhook secret, shown only once:\n\n  ${trusted.webhookSecret}` : "";
  return {
    text: `${trusted.domain} (${trusted.id}) is verified in ${mode} mode for ${owner}.${secret}`,
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
  const emptyText = "There are no domains yet: npm run admin -- domain trust HOST --mode test";
  return { text: formatTable(cells, emptyText), json: { domains } };
}

async function reseal(): Promise<AdminResult> {
  const { resealed, current, unreadable } = await resealWebhookSecrets();
  const lines = [`${resealed} sealed anew, ${current} were sealed under NEXTAUTH_SECRET already.`];
  if (unreadable.length > 0) {
    lines.push(
      `Neither secret decrypts those of ${unreadable.join(", ")}: rotate them in the console or with the API.`,
    );
  }
  return { text: lines.join("\n"), json: { resealed, current, unreadable } };
}

async function reportApplied(applied: string[]): Promise<AdminResult> {
  await migrateJobTables();
  const text = applied.length > 0 ? `Applied ${applied.join(", ")}.` : "There was nothing to apply.";
  return { text, json: { applied } };
}

/** Returns `empty` if there are no rows. Tenants choose some of these texts, so control characters are made visible. */
export function formatTable(cells: readonly (readonly string[])[], empty: string): string {
  const lines = cells.map((line) => line.map(toVisibleLine));
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
