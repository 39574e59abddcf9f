import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { NEXTAUTH_SECRET } from "./start-app.ts";

const ROOT = join(import.meta.dirname, "..", "..");

type AdminRun = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The output of `--json`. */
  json(): ReturnType<typeof JSON.parse>;
};

/**
 * Runs until it exits, while an application is running.
 * @param root another clone of the application
 */
export function runAdmin(
  variables: Record<string, string>,
  args: readonly string[],
  root = ROOT,
): Promise<AdminRun> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  // In clones from before December 2026, modules are marked with `server-only`, which throws an error without this
  // condition.
  const command = ["--conditions=react-server", join(root, "scripts", "admin.ts"), ...args];
  const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: "production" as const, NEXTAUTH_SECRET, ...variables };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (_error, stdout, stderr) => {
      const json = () => {
        if (stdout === "") throw new Error(`exit code ${child.exitCode}, and nothing said but: ${stderr}`);
        return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
      };
      resolve({ code: child.exitCode, stdout, stderr, json });
    });
  });
}

const Key = z.object({ key: z.string() });
const Domain = z.object({ id: z.string(), domain: z.string() });

/** With a verified domain. */
export type Tenant = { headers: Record<string, string>; domainId: string; domain: string };

type TenantOptions = {
  mode: "live" | "test";
  /** Receives the domain's events. */
  webhookUrl?: string;
  root?: string;
};

export async function createTenant(databaseUrl: string, options: TenantOptions): Promise<Tenant> {
  const { key } = Key.parse(await admin(databaseUrl, options, "api-key", "create", "--name", "load"));
  const headers = { Authorization: `Bearer ${key}` };
  return { headers, ...(await trustDomain(databaseUrl, options)) };
}

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
