import { randomBytes } from "node:crypto";
import { z } from "zod";
import { Client } from "../kit/client.ts";
import { runAdmin } from "../kit/run-admin.ts";

const Key = z.object({ key: z.string() });
const Domain = z.object({ id: z.string(), domain: z.string() });

/** A customer of the hosted API with a domain whose events go to a receiver. */
export type Tenant = { headers: Record<string, string>; domainId: string; domain: string };

/**
 * Makes one as an operator and a customer do: a key from the command line, the domain through the API.
 * @param root another clone of the application
 */
export async function newTenant(
  url: string,
  databaseUrl: string,
  webhookUrl: string,
  root?: string,
): Promise<Tenant> {
  const headers = { Authorization: `Bearer ${await newKey(databaseUrl, root)}` };
  const { id, domain } = await registerDomain(url, headers, webhookUrl);
  return { headers, domainId: id, domain };
}

/** One more domain of a customer's. */
export async function registerDomain(url: string, headers: Record<string, string>, webhookUrl: string) {
  const json = { domain: `d${randomBytes(6).toString("hex")}.test`, webhook_url: webhookUrl };
  const { body } = await new Client(url).expect(201, "/sandbox/v1/domains", { json, headers });
  return Domain.parse(JSON.parse(body));
}

async function newKey(databaseUrl: string, root?: string): Promise<string> {
  const args = ["api-key", "create", "--mode", "test", "--name", "load", "--json"];
  return Key.parse((await runAdmin({ DATABASE_URL: databaseUrl }, args, root)).json()).key;
}
