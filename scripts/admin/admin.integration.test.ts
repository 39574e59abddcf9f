import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newDomainName } from "#e2e/support/customer.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { parseEnv } from "#lib/platform/env.ts";
import { shutDown } from "#packages/login/process/state.ts";
import { Client } from "#tools/kit/client.ts";
import { createTestDatabase } from "#tools/kit/database.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { runAdmin as startAdmin } from "#tools/kit/run-admin.ts";
import { sql } from "#tools/kit/sql.ts";
import { NEXTAUTH_SECRET } from "#tools/kit/start-app.ts";
import { assertMigrated, migrate } from "../database/migrate.ts";
import { prepareRuntime } from "../server/prepare.ts";
import { readArguments } from "./commands.ts";

const environment = { DATABASE_URL: databaseUrl, APP_URL: url, NEXTAUTH_SECRET };

beforeAll(() => prepareRuntime(parseEnv(environment), () => {}));
afterAll(() => shutDown(async () => {}));

/** Runs in this process, because starting the command takes a second. */
async function admin(...args: string[]) {
  const call = readArguments(args);
  if (call === null) throw new Error("nothing to carry out");
  return call.act([]);
}

/** Runs in a separate process. */
const runAdmin = (args: string[], database = databaseUrl) =>
  startAdmin({ ...environment, DATABASE_URL: database }, args);

/** A new client, because refused keys are counted by client address. */
const client = new Client(url);
const call = (key: string, base: string) =>
  client.fetch(`${base}/domains`, { headers: { Authorization: `Bearer ${key}` } });

describe("npm run admin", () => {
  test("creates, lists and revokes an API key", async () => {
    const nameOptions = ["--name", "ci", "--owner", "acme"];
    const created = await runAdmin(["api-key", "create", "--mode", "live", ...nameOptions, "--json"]);
    expect(created.code).toBe(0);
    const { id, key, ...more } = created.json();
    expect(more).toEqual({});
    expect(key).toMatch(/^svc_live_[A-Za-z0-9_-]{43}$/);
    expect((await call(key, "/v1")).status).toBe(200);
    expect((await call(key, "/sandbox/v1")).status).toBe(401);

    const listed = await admin("api-key", "list");
    expect(listed.json.api_keys).toContainEqual({
      id,
      owner: "acme",
      mode: "live",
      name: "ci",
      prefix: key.slice(0, 13),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      revoked_at: null,
    });
    expect(JSON.stringify(listed)).not.toContain(key);

    const revocation = await admin("api-key", "revoke", id);
    expect(revocation.json).toEqual({ id });
    expect((await call(key, "/v1")).status).toBe(401);
  });

  test("registers and verifies a domain with `domain trust`", async () => {
    const owner = ["--owner", "acme"];
    const host = newDomainName();
    const first = await admin("domain", "trust", host.toUpperCase(), "--mode", "live", ...owner);
    const { id, domain, webhook_secret, ...more } = first.json;
    expect({ domain, more }).toEqual({ domain: host, more: {} });
    expect(id).toMatch(/^dom_/);
    expect(webhook_secret).toMatch(/^whsec_/);
    const webhook = `https://${host}/new`;
    const change = ["--webhook-url", webhook, ...owner];
    const again = await admin("domain", "trust", host, "--mode", "live", ...change);
    expect(again.json).toEqual({ id, domain: host });

    const { key } = (await admin("api-key", "create", "--mode", "live", "--name", "n", ...owner)).json;
    const session = await client.fetch("/v1/sessions", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ domain: host }),
    });
    expect(session.status).toBe(201);

    const { json: operators } = await admin("domain", "trust", newDomainName(), "--mode", "live");
    const { domains } = (await admin("domain", "list")).json;
    expect(domains).toContainEqual(expect.objectContaining({ id: operators.id, owner: "operator" }));
    expect(domains).toContainEqual(
      expect.objectContaining({ id, domain: host, owner: "acme", verified: true, webhook_url: webhook }),
    );
  });

  test("does not register a live domain with `domain trust` if it belongs to another owner", async () => {
    const host = newDomainName();
    const trust = (owner: string) => admin("domain", "trust", host, "--mode", "live", "--owner", owner);
    await trust("holder");
    await expect(trust("late")).rejects.toMatchObject({ code: "domain_verification_failed" });
    const rows = await query("SELECT name FROM domain JOIN owner ON owner.id = owner_id WHERE domain = $1", [
      host,
    ]);
    expect(rows).toEqual([{ name: "holder" }]);
  });

  test("accepts an existing console user as --owner, but does not create one", async () => {
    for (const args of [
      ["api-key", "create", "--mode", "live", "--name", "planted", "--owner", "user:2000000000"],
      ["domain", "trust", newDomainName(), "--mode", "test", "--owner", "User:7"],
    ]) {
      await expect(admin(...args)).rejects.toThrow("names a user of the console");
    }
    expect(await query("SELECT 1 FROM owner WHERE name ILIKE 'user:2000000000'")).toEqual([]);
    const { browser, userId } = await signInBrowser(url);
    await browser.post("/api/console/test/keys", { name: "mine" }, { Origin: url });
    await admin("domain", "trust", newDomainName(), "--mode", "test", "--owner", `user:${userId}`);
  });

  test("migrates an empty database with `migrate`", async () => {
    const empty = await createTestDatabase();
    onTestFinished(() => empty.close());
    const config = parseEnv({ ...environment, DATABASE_URL: empty.url, MIGRATE_ON_START: "false" });
    await expect(prepareRuntime(config, () => {})).rejects.toThrow(/The database lacks \d+_init/);
    const migrated = await runAdmin(["migrate", "--json"], empty.url);
    expect(migrated.json().applied).toContainEqual(expect.stringMatching(/^\d+_init$/));
    const [jobs] = await sql(empty.url, "SELECT to_regclass('graphile_worker.jobs') IS NOT NULL AS found");
    expect(jobs).toEqual({ found: true });
    await assertMigrated(empty.url);
    expect(await migrate(empty.url)).toEqual([]);
  });

  test("exits 1 with an explanation if a command fails", async () => {
    for (const args of [["domain", "trust", "https://x", "--mode", "live"], ["x"]]) {
      const { code, stdout, stderr } = await runAdmin(args);
      expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: "" });
      expect(stderr).toMatch(/\w+.*\./);
      expect(stderr).not.toMatch(/\bat .*\.ts/);
    }
    const { code, json } = await runAdmin(["api-key", "revoke", "unknown", "--json"]);
    expect(code).toBe(1);
    expect(json()).toMatchObject({ error: { code: "not_found" } });
  });
});
