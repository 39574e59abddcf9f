import { copyFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { runReceiver } from "#packages/conformance/receiver/checks.ts";
import { writeTemplate } from "#scripts/template/write-template.ts";
import { createTestDatabase, type TestDatabase } from "#tools/kit/database.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { findFreePort, type RunningServer } from "#tools/kit/start-server.ts";
import {
  BUILT_ONCE,
  configure,
  install,
  installedPackages,
  refusedStart,
  run,
  type SiteVariables,
  serveSite,
  siteVariables,
  TYPES_CHECKED,
} from "./generated-site.ts";

/** From an empty folder to a browser that is signed in through this application's API. */

const MINUTES = 60_000;

const installed = inject("installedSite");
const folder = mkdtempSync(join(tmpdir(), "svc hosted "));
const site = join(folder, "site");
let databases: TestDatabase[];
let api: RunningServer;
let url: string;
let secret: string;
let variables: SiteVariables;
/** For the build that `npm test` made. */
let served: SiteVariables;

beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [ofApi, ofSite] = databases.map((database) => database.url);
  api = await startApp({
    DATABASE_URL: ofApi ?? "",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    LOG_LEVEL: "warn",
  });
  const PORT = String(await findFreePort());
  url = `http://localhost:${PORT}`;
  const customer = await newCustomer(api.url, ofApi ?? "");
  const registered = await customer.registerDomain(ofApi ?? "", {
    ...{ domain: "localhost", webhookUrl: `${url}/api/svc/webhook`, verified: false },
  });
  secret = registered.webhook_secret;
  variables = {
    ...(await siteVariables(ofSite ?? "")),
    PORT,
    SVC_API_URL: `${api.url}/sandbox/v1`,
    SVC_API_KEY: customer.key,
    SVC_WEBHOOK_SECRET: secret,
  };
  served = { ...variables, BUILD_FOLDER: ".next/test" };
  // A unit test writes a template with the command, which would pack the same packages again.
  await writeTemplate("hosted", site, (source, into) => {
    const [file = ""] = globSync(`svc-${source}-*.tgz`, { cwd: installed });
    copyFileSync(join(installed, file), join(into, file));
    return { name: `@svc/${source}`, file };
  });
  await install(site, variables, installed);
  configure(site, TYPES_CHECKED, BUILT_ONCE);
}, 15 * MINUTES);

afterAll(async () => {
  await api?.stop();
  await Promise.all((databases ?? []).map((database) => database.close()));
  rmSync(folder, { recursive: true, force: true });
});

test("installs the native signature library and not its fallback", () => {
  expect(installedPackages(site)).toContain("secp256k1");
  expect(installedPackages(site)).not.toContain("elliptic");
});

test(
  "passes its own tests: types, build and logins in a browser",
  async () => {
    expect(await run("npm", ["test"], site, variables)).toMatch(/4 passed/);
  },
  15 * MINUTES,
);

/** Empty if the system cannot list them. */
function processesIn(folder: string): string[] {
  const commands = globSync("/proc/[0-9]*/cmdline").map((file) => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  });
  return commands.filter((command) => command.includes(folder));
}

test("leaves no process behind after its build and its tests", async () => {
  // The server has just disconnected from its database, which another process will stop.
  await expect.poll(() => processesIn(site)).toEqual([]);
});

test("does not include secrets from the environment in its build", () => {
  const built = readdirSync(join(site, ".next"), { recursive: true, withFileTypes: true });
  const files = built
    .filter((entry) => entry.isFile() && /\.(js|html|json|txt|rsc)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .filter((text) => text.includes(secret) || text.includes(String(variables.SVC_API_KEY)));
  expect(files).toEqual([]);
});

test("does not start without its key, and names the missing variable", async () => {
  const { SVC_API_KEY: _, ...without } = served;
  const message = await refusedStart(site, without);
  expect(message).toMatch(
    /^exit code 1\n[\s\S]*SVC_API_KEY: required.*console.*npm run admin -- api-key create --mode test --name/,
  );
  expect(message).not.toMatch(/SVC_WEBHOOK_SECRET/);
});

describe("the running site", () => {
  let runningServer: RunningServer;
  beforeAll(async () => {
    runningServer = await serveSite(site, served);
  }, 5 * MINUTES);
  afterAll(() => runningServer?.stop());

  test("lists the API's host in its delegation file", async () => {
    const response = await fetch(`${url}/.well-known/svc-login`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({ domain: "localhost", webhook_hosts: ["localhost"] });
  });

  test("passes the conformance kit's receiver checks", { timeout: 5 * MINUTES }, async () => {
    const { results } = await runReceiver({
      url: new URL(`${url}/api/svc/webhook`),
      ...{ secret, timeoutSeconds: 30 },
    });
    const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
    expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  });

  test("has the same gate as the other template", async () => {
    const response = await fetch(`${url}/login?${"a=1&".repeat(65)}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_request" } });
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });
});
