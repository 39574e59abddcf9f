import { z } from "zod";
import { runAdmin } from "../kit/run-admin.ts";

/** A customer's key and domain of the hosted API. */
export type Tenant = { apiKey: string; domain: string };

const Key = z.object({ key: z.string() });
const DOMAIN = "bench.example";

/**
 * Makes a live API key and a verified domain with the operator's command line of a clone.
 * @param root the clone
 */
export async function createTenant(root: string, databaseUrl: string): Promise<Tenant> {
  const admin = async (...args: string[]) =>
    (await runAdmin({ DATABASE_URL: databaseUrl }, [...args, "--mode", "live", "--json"], root)).json();
  const { key } = Key.parse(await admin("api-key", "create", "--name", "bench"));
  await admin("domain", "trust", DOMAIN);
  return { apiKey: key, domain: DOMAIN };
}
