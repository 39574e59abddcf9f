import { randomBytes } from "node:crypto";
import { z } from "zod";
import { runAdmin } from "./run-admin.ts";

const Key = z.object({ key: z.string() });
const Domain = z.object({ id: z.string(), domain: z.string() });

/** A customer of the hosted API with a verified domain. */
export type Tenant = { headers: Record<string, string>; domainId: string; domain: string };

type TenantOptions = {
  mode: "live" | "test";
  /** Where the domain's events go. */
  webhookUrl?: string;
  /** Another clone of the application. */
  root?: string;
};

/** Makes one with the operator's command line. */
export async function createTenant(databaseUrl: string, options: TenantOptions): Promise<Tenant> {
  const { key } = Key.parse(await admin(databaseUrl, options, "api-key", "create", "--name", "load"));
  const headers = { Authorization: `Bearer ${key}` };
  return { headers, ...(await trustDomain(databaseUrl, options)) };
}

/** One more domain of the operator's own tenant, which is verified. */
export async function trustDomain(databaseUrl: string, options: TenantOptions) {
  const name = `d${randomBytes(6).toString("hex")}.${options.mode === "test" ? "test" : "example"}`;
  const webhook = options.webhookUrl ? ["--webhook-url", options.webhookUrl] : [];
  const answer = await admin(databaseUrl, options, "domain", "trust", name, ...webhook);
  const { id: domainId, domain } = Domain.parse(answer);
  return { domainId, domain };
}

async function admin(databaseUrl: string, { mode, root }: TenantOptions, ...args: string[]) {
  const variables = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
  return (await runAdmin(variables, [...args, "--mode", mode, "--json"], root)).json();
}
