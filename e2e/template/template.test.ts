import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Wallet } from "@svc/wallet/testing/wallet";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { RunOutcome } from "#packages/conformance/run-checks.ts";
import { LOGIN_CHECKS, runServer } from "#packages/conformance/server/checks.ts";
import { DEFAULT_PATHS } from "#packages/conformance/server/site.ts";
import {
  findNewerBuiltinsInBuild,
  NEWER_BUILTINS,
  removeBuiltins,
} from "#scripts/browsers/newer-builtins.ts";
import { createTestDatabase, type TestDatabase } from "#tools/kit/database.ts";
import { sql } from "#tools/kit/sql.ts";
import { findFreePort, type RunningServer } from "#tools/kit/start-server.ts";
import { waitUntil } from "#tools/kit/waiting.ts";
import { attackSite } from "#tools/resilience/hostile-site.ts";
import { Stage } from "#tools/resilience/stage.ts";
import {
  copySite,
  edit,
  installedPackages,
  refusedStart,
  run,
  type SiteVariables,
  serveSite,
  siteVariables,
  whileServed,
  withPage,
} from "./generated-site.ts";

/** From an empty folder outside of the repository to a signed-in browser (docs/template.md). */

const ROOT = join(import.meta.dirname, "..", "..");
const MINUTES = 60_000;
/** Check whether a package can be imported as its manifest says. They are not installed by default. */
const PUBLINT = "publint@0.3.25";
const TYPES_CHECKER = "@arethetypeswrong/cli@0.18.5";

const folder = mkdtempSync(join(tmpdir(), "svc site "));
const site = join(folder, "site");
let databases: TestDatabase[];
/** For the site's own commands, and for the two processes that have limits. */
let database: TestDatabase, ownDatabase: TestDatabase, kitDatabase: TestDatabase;
let variables: SiteVariables;
/** For the build that `npm test` made. */
let served: SiteVariables;

beforeAll(async () => {
  copySite(inject("installedSite"), site);
  databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()]);
  [database, ownDatabase, kitDatabase] = databases as [TestDatabase, TestDatabase, TestDatabase];
  variables = await siteVariables(database.url);
  served = { ...variables, BUILD_FOLDER: ".next/test" };
}, 15 * MINUTES);

afterAll(async () => {
  await Promise.all((databases ?? []).map(({ close }) => close()));
  rmSync(folder, { recursive: true, force: true });
});

test("contains no reference to the repository", () => {
  const separateDatabase = readdirSync(site, { recursive: true, encoding: "utf8" }).filter(
    (path) => !path.startsWith("node_modules") && lstatSync(join(site, path)).isFile(),
  );
  for (const path of separateDatabase)
    expect(readFileSync(join(site, path), "utf8"), path).not.toContain(ROOT);
  for (const name of ["login", "react", "postgres"]) {
    expect(lstatSync(join(site, "node_modules", "@svc", name)).isSymbolicLink()).toBe(false);
  }
});

test("loads in plain Node.js", async () => {
  const load = 'const { migrate } = await import("@svc/login"); console.log(typeof migrate)';
  expect(await run(process.execPath, ["--input-type=module", "-e", load], site, variables)).toMatch(
    /^function$/m,
  );
});

test("installs the native signature library and not its fallback", () => {
  expect(installedPackages(site)).toContain("secp256k1");
  expect(installedPackages(site)).not.toContain("elliptic");
});

test(
  "passes its own tests: types, build and logins in a browser under `next start`",
  async () => {
    const PORT = String(await findFreePort());
    expect(await run("npm", ["test"], site, { ...variables, PORT })).toMatch(/12 passed/);
    expect(existsSync(join(site, ".next", "BUILD_ID"))).toBe(false);
    const rows = await sql(database.url, "SELECT to_regnamespace('svc_login') AS tables");
    expect(rows).toEqual([{ tables: null }]);
  },
  15 * MINUTES,
);

describe("the built site", () => {
  let checkedServer: RunningServer;
  /** The run waits for the site's limits, so the other tests continue in the meantime. */
  let kit: Promise<RunOutcome>;
  beforeAll(async () => {
    checkedServer = await serveSite(site, { ...served, DATABASE_URL: kitDatabase.url });
    const checks = LOGIN_CHECKS.filter(({ exhaustsLimits }) => !exhaustsLimits);
    const target = { ...DEFAULT_PATHS, origin: new URL(checkedServer.url) };
    kit = runServer({ target, checks, timeoutSeconds: 30 });
    // The test that awaits this run reports a failure.
    kit.catch(() => {});
  }, 5 * MINUTES);
  afterAll(() => checkedServer?.stop());

  describe("with its own PostgreSQL server, after `npm prune --omit=dev`", () => {
    const [embeddedDatabase, away] = [
      join(site, "node_modules", "@svc", "postgres"),
      join(site, "postgres away"),
    ];
    let runningServer: RunningServer;
    /** Responses to requests for a code while the site was starting. */
    let answers: Response[];
    beforeAll(async () => {
      renameSync(embeddedDatabase, away);
      const PORT = String(await findFreePort());
      [runningServer, answers] = await Promise.all([
        serveSite(site, { ...served, DATABASE_URL: ownDatabase.url, PORT }),
        askUntilAnswered(`http://127.0.0.1:${PORT}/api/svc/qr`),
      ]);
    }, 5 * MINUTES);
    afterAll(async () => {
      await runningServer?.stop();
      renameSync(away, embeddedDatabase);
    });

    test("counts requests that arrive while it is starting", async () => {
      const earlyAnswers = answers.filter(({ status }) => status !== 200);
      expect(earlyAnswers.every(({ status, headers }) => status === 503 && headers.has("retry-after"))).toBe(
        true,
      );
      const issued = answers.length - earlyAnswers.length;
      expect(await sql(ownDatabase.url, "SELECT points FROM svc_login.rate_limit")).toEqual([
        { points: issued },
      ]);
      expect(
        await sql(ownDatabase.url, "SELECT count(*)::int AS codes FROM svc_login.login_session"),
      ).toEqual([{ codes: issued }]);
      expect(runningServer.output()).not.toMatch(/start\(\)|limited|warning/i);
    });

    test(
      "registers a wallet and signs in with it in an old browser",
      async () => {
        expect(findNewerBuiltinsInBuild(join(site, ".next", "test"))).toEqual([]);
        await withPage(MINUTES, async (page, errors) => {
          await page.addInitScript(removeBuiltins, NEWER_BUILTINS);
          const wallet = new Wallet();
          for (const path of ["/register", "/login?callbackUrl=/dashboard"]) {
            await page.goto(runningServer.url + path);
            await wallet.approve(page);
            await page.getByText(/signed in as user/).waitFor();
            await page.getByRole("button", { name: "Sign out" }).click();
            await page.waitForURL(`${runningServer.url}/`);
          }
          expect(errors).toEqual([]);
        });
      },
      5 * MINUTES,
    );

    test("stops even with an open event stream", async () => {
      const { url, stop, output } = runningServer;
      const response = await fetch(`${url}/api/svc/qr`);
      const { sid } = (await response.json()) as { sid: string };
      const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const stream = await fetch(`${url}/api/svc/events?sid=${sid}`, { headers: { cookie } });
      expect(stream.status).toBe(200);
      const stopped = stop().then(() => "stopped");
      expect(await Promise.race([stopped, sleep(20_000, "still running")])).toBe("stopped");
      expect(output()).not.toMatch(/error/i);
    });
  });

  test("passes publint and Are the Types Wrong for ES module packages", async () => {
    const tarballs = readdirSync(site).filter((name) => name.endsWith(".tgz"));
    // A stylesheet has no types.
    const check = (tarball: string) =>
      `publint ./${tarball} --strict && attw ./${tarball} --profile esm-only --exclude-entrypoints styles.css`;
    const checkers = ["--package", PUBLINT, "--package", TYPES_CHECKER];
    const printed = await run(
      "npx",
      ["--yes", ...checkers, "--call", tarballs.map(check).join(" && ")],
      site,
      variables,
    );
    expect(printed.match(/All good!/g)).toHaveLength(tarballs.length);
  });

  test("does not start for other hosts without a database and a secret", async () => {
    const message = await refusedStart(site, {
      ...{ ...served, DATABASE_URL: "", NEXTAUTH_SECRET: "" },
      APP_URL: "https://shop.example",
    });
    expect(message).toMatch(
      /^exit code 1\n[\s\S]*Not started:\nDATABASE_URL: required .*\nNEXTAUTH_SECRET: required /,
    );
  });

  test("does not start on an older Node, and names the version that it needs", async () => {
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`;
    const message = await refusedStart(site, served, "start", ["--import", `data:text/javascript,${older}`]);
    expect(message).toMatch(
      /^exit code 1\n[\s\S]*Not started:\nNode\.js 22\.18 or newer is needed, and this is 20\.20\.2/,
    );
  });

  test(
    "signs in under `next dev` the first time the wallet answers",
    () => whileServed(site, variables, visitDevelopment, "dev"),
    10 * MINUTES,
  );

  test("passes every check of the conformance kit", { timeout: 5 * MINUTES }, async () => {
    const { results } = await kit;
    // Some SHOULD checks fail because Next.js answers before any handler.
    const open = results.filter(
      ({ check, outcome }) => check.level === "MUST" && (outcome === "failed" || outcome === "blocked"),
    );
    expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  });

  test("survives every hostile request", { timeout: 10 * MINUTES }, async () => {
    const failed: string[] = [];
    const stage = new Stage({
      seed: 1,
      from: null,
      say: (text) => /✗/.test(text) && failed.push(text),
    });
    await attackSite(stage, checkedServer.url, checkedServer.pid);
    expect(failed).toEqual([]);
    expect(stage.checks.length).toBeGreaterThan(10);
  });
});

/** @returns all responses until the site issues a code */
async function askUntilAnswered(url: string): Promise<Response[]> {
  const answers: Response[] = [];
  const ask = () =>
    fetch(url).then(
      (answer) => answers.push(answer),
      () => {},
    );
  await waitUntil(async () => {
    await Promise.all([ask(), ask(), ask()]);
    return answers.at(-1)?.status === 200;
  }, MINUTES);
  return answers;
}

async function visitDevelopment(url: string): Promise<void> {
  // Next.js first compiles the route that is requested first.
  await withPage(4 * MINUTES, async (page, errors) => {
    const reloading = page.waitForEvent("console", (message) => message.text().includes("[HMR] connected"));
    await page.goto(`${url}/login`);
    await page.getByRole("link", { name: "Open in wallet" }).waitFor();
    await reloading;
    expect(errors).toEqual([]);
    // So far, only the pages that have shown the code are compiled.
    await page.goto(`${url}/register`);
    const link = await page.locator("a[href^='svc:']").first().getAttribute("href");
    const wallet = [join(site, "node_modules", ".bin", "svc-wallet"), "register", link ?? ""];
    const seed = ["--unsealed", "--seed-file", join(site, "wallet-seed.json")];
    await run(process.execPath, [...wallet, ...seed], site, variables);
    await page.getByText(/signed in as user/).waitFor();
    await signOut(page, url);
    // The site offers users without a wallet the same trial wallet on both pages.
    const answer = page.getByRole("button", { name: "Answer with a trial wallet" });
    await page.goto(`${url}/login`);
    await answer.click();
    await page.getByRole("link", { name: "Create an account with this wallet" }).click();
    await page.waitForURL(/\/register/);
    await answer.click();
    await page.getByText(/signed in as user/).waitFor();
    await addTable(page);
  });
}

/**
 * When the development server has compiled another page, it reloads the open one, which can cancel a click or a
 * navigation.
 */
async function signOut(page: Page, url: string): Promise<void> {
  const button = page.getByRole("button", { name: "Sign out", exact: true });
  await waitUntil(async () => {
    await button.click({ timeout: 5_000 }).catch(() => {});
    const session = await page.request.get(`${url}/api/auth/session`);
    return Object.keys(await session.json()).length === 0;
  }, 4 * MINUTES);
  await page.waitForURL(`${url}/`, { timeout: 20_000 }).catch(() => {});
}

/** The table must exist at the next request without a restart. */
async function addTable(page: Page): Promise<void> {
  const file = join(site, "lib", "database.ts");
  const before = readFileSync(file, "utf8");
  try {
    edit(site, "lib/database.ts", (text) =>
      text.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS diary (day DATE);\nCREATE TABLE"),
    );
    const isThere = async () => {
      // Does not reload the page, which reloads itself when the file changes.
      await page.request.get(page.url());
      const [row] = await sql(database.url, "SELECT to_regclass('diary')::text AS name");
      return row?.name === "diary";
    };
    await waitUntil(isThere, 2 * MINUTES);
  } finally {
    writeFileSync(file, before);
  }
}
