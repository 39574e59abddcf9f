import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** A customer's key and domain of the hosted API. */
export type Tenant = { apiKey: string; domain: string };

const Key = z.object({ key: z.string() });
const DOMAIN = "bench.example";

const run = promisify(execFile);

/**
 * Makes a live API key and a verified domain with the operator's command line of a clone.
 * @param root the clone
 */
export async function createTenant(root: string, databaseUrl: string): Promise<Tenant> {
  const admin = async (...args: string[]) => {
    const script = join(root, "scripts", "admin.ts");
    const { stdout } = await run(process.execPath, ["--conditions=react-server", script, ...args, "--json"], {
      env: { ...process.env, DATABASE_URL: databaseUrl, NEXTAUTH_SECRET: BENCH_SECRET },
    });
    return stdout.trim().split("\n").at(-1) ?? "";
  };
  const { key } = Key.parse(
    JSON.parse(await admin("api-key", "create", "--mode", "live", "--name", "bench")),
  );
  await admin("domain", "trust", DOMAIN, "--mode", "live");
  return { apiKey: key, domain: DOMAIN };
}

/** The `NEXTAUTH_SECRET` of everything that is measured. */
export const BENCH_SECRET = "a secret for benchmarks, long enough";
