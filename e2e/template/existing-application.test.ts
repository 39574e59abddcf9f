import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NextRequest } from "next/server";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { LAUNCH_OPTIONS } from "#e2e/support/launch-options.ts";
import { linkPackages } from "#e2e/support/link-packages.ts";
import { formatCredentialName } from "#packages/login/crypto/public-key.ts";
import type { Login } from "#packages/login/index.ts";
import { runNextAuth } from "#packages/login/plugins/next-auth/auth-exchange.ts";
import { shutDown } from "#packages/login/process/state.ts";
import { ORIGIN, SiteBrowser } from "#packages/login/site/tests/site.fixture.ts";
import { VirtualWallet } from "#packages/login/testing/virtual-wallet.ts";
import { findBrowser } from "#scripts/test/find-browser.ts";
import { createTestDatabase, type TestDatabase } from "#tools/kit/database.ts";
import { sql } from "#tools/kit/sql.ts";
import { NEXTAUTH_SECRET } from "#tools/kit/start-app.ts";
import {
  BUILT_ONCE,
  configure,
  edit,
  run,
  type SiteVariables,
  shellVariables,
  whileServed,
  withPage,
} from "./generated-site.ts";
import { ADAPTER_TABLES, WITH_BETTER_AUTH, WITH_DATABASE_SESSIONS, WITH_TOKENS } from "./own-applications.ts";
import { type GuideFile, readGuide, readListings } from "./read-guide.ts";

/** Exactly as in docs/existing-application.md, in two new applications, and in the guides that continue from it. */

const CREATE_NEXT_APP = "create-next-app@16.4.3";
const TARBALLS = ["svc-login-0.1.0.tgz", "svc-react-0.1.0.tgz"];
const ROOT = join(import.meta.dirname, "..", "..");
const pageOf = (guide: string) => readFileSync(join(ROOT, "docs", guide), "utf8");
const GUIDE = readGuide(pageOf("existing-application.md"));
const MINUTES = 60_000;

const installed = inject("installedSite");
const folder = mkdtempSync(join(tmpdir(), "svc existing "));
let database: TestDatabase;
// With the tests' own NODE_ENV, the framework would not read `.env.local`.
let variables: SiteVariables;

beforeAll(async () => {
  variables = { ...shellVariables(), BROWSER_PATH: await findBrowser(() => {}) };
  database = await createTestDatabase();
}, 5 * MINUTES);
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(app: string, path: string, text: string): void {
  const file = join(app, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * Without the fonts, which the build would download.
 * @param ofRepository packages that are used in this repository's version, because it is already installed
 */
async function createApplication(
  name: string,
  base: string,
  options: string[],
  ofRepository = ["next"],
): Promise<string> {
  const always = ["--ts", "--app", "--no-linter", "--use-npm", "--disable-git", "--skip-install", "--yes"];
  await run("npx", ["--yes", CREATE_NEXT_APP, name, ...always, ...options], folder, variables);
  const app = join(folder, name);
  let manifest = readFileSync(join(app, "package.json"), "utf8");
  for (const installedName of ofRepository) {
    const { version } = JSON.parse(
      readFileSync(join(ROOT, "node_modules", installedName, "package.json"), "utf8"),
    );
    manifest = manifest.replace(new RegExp(`(?<="${installedName}": ")[^"]+`), version);
  }
  write(app, "package.json", manifest);
  linkPackages(installed, app);
  configure(app, BUILT_ONCE);
  edit(app, join(base, "app/layout.tsx"), (text) =>
    text
      .replace(/import \{[^}]*\} from "next\/font\/google";\n/, "")
      .replaceAll(/const geist\w+ = .*?\}\);\n/gs, "")
      .replaceAll(/\$\{geist\w+\.variable\} ?/g, ""),
  );
  return app;
}

async function installPackage(app: string, packages: string[]): Promise<void> {
  for (const tarball of TARBALLS) cpSync(join(installed, tarball), join(app, tarball));
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
  await run(
    "npm",
    [...install, ...TARBALLS.map((tarball) => `./${tarball}`), "next-auth@4.24.15", ...packages],
    app,
    variables,
  );
}

const followed = new Set<GuideFile>();

/** Writes the files in the sections that `needs` selects, or changes them as described there. */
function follow(app: string, base: string, needs: (section: string) => boolean): void {
  for (const file of GUIDE.filter(({ section }) => needs(section))) {
    followed.add(file);
    writeFile(app, base, file);
  }
}

function writeFile(app: string, base: string, { path, text, change }: GuideFile): void {
  if (change === null) write(app, join(base, path), text);
  else if (path === "package.json") edit(app, path, (before) => before.replace(/\{\n/, `$&${text}`));
  else if (path === "next.config.ts")
    edit(app, path, (before) => before.replace(/(: NextConfig = \{\n)/, `$1${text}`));
  else if (path === "lib/login.ts") {
    edit(app, join(base, path), (before) =>
      before
        .replace(/^/, 'import { currentUser } from "./current-user";\n')
        .replace(/^(?= +afterLogin:)/m, text),
    );
  } else edit(app, join(base, path), (before) => before.replace("<Login\n", `$&${text}`));
}

/** Fails if the browser's console shows an error. */
async function serve(app: string, visit: (page: Page, url: string) => Promise<void>): Promise<void> {
  write(
    app,
    ".env.local",
    `DATABASE_URL=${database.url}\nNEXTAUTH_SECRET="${NEXTAUTH_SECRET}"\nBETTER_AUTH_SECRET="${NEXTAUTH_SECRET}"\n`,
  );
  await run("npm", ["run", "build"], app, variables);
  await whileServed(app, variables, (url) =>
    withPage(MINUTES, async (page, errors) => {
      await visit(page, url);
      expect(errors).toEqual([]);
    }),
  );
}

/** Checks that the panel has its own width, and the colours and font of the surrounding page. */
async function expectLooks(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: "localhost" });
  await panel.getByRole("img", { name: /^QR code/ }).waitFor();
  expect(await panel.getByRole("button").allTextContents()).toEqual(["Copy link"]);
  const measured = await panel.evaluate((section) => {
    const [own, around] = [section, document.body].map((element) => getComputedStyle(element));
    return {
      ...{ width: section.getBoundingClientRect().width, border: own?.borderTopWidth },
      isLikeThePage: own?.color === around?.color && own?.fontFamily === around?.fontFamily,
      quiet: getComputedStyle(section.querySelector("svg path") ?? section).fill,
    };
  });
  expect(measured).toEqual({ width: 400, border: "1px", isLikeThePage: true, quiet: "rgb(255, 255, 255)" });
}

/** @returns the site's response to the wallet */
async function answerCode(page: Page, wallet: VirtualWallet): Promise<{ undo?: string }> {
  // The link has no URL until the code arrives.
  const link = page.getByRole("link", { name: "Open in wallet" }).and(page.locator("[href]"));
  await link.waitFor();
  const { searchParams } = new URL((await link.getAttribute("href")) ?? "");
  const answer = await fetch(searchParams.get("webhook") ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wallet.sign(searchParams.get("challenge") ?? "")),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

/**
 * The wallet is lost: the user signs in without it, removes it and adds a new one. This signs out `page`, which was
 * signed in with the wallet.
 */
async function replaceWallet(page: Page, url: string, member: string, signIn: (at: Page) => Promise<void>) {
  const other = await (await page.context().browser()?.newContext())?.newPage();
  if (!other) throw new Error("no second window");
  await signIn(other);
  await other.goto(`${url}/account/wallet`);
  const removal = other.getByRole("button", { name: "Remove this wallet" });
  await removal.click();
  const question = other.getByRole("dialog", { name: "Remove this wallet?" });
  await question.getByText("You can then add a new one").waitFor();
  // Pressing Enter cancels, and the focus returns to the button.
  await other.keyboard.press("Enter");
  await question.waitFor({ state: "hidden" });
  await other.keyboard.press("Enter");
  await question.getByRole("button", { name: "Remove", exact: true }).click();
  const removed = other.getByRole("heading", { name: "Your wallet has been removed" });
  await removed.waitFor();
  expect(await removed.evaluate((heading) => heading === document.activeElement)).toBe(true);
  await page.reload();
  await page.getByRole("heading", { name: "Nobody" }).waitFor();

  await addWallet(other, url, member);
  // Now signed in with the wallet, which therefore cannot be removed.
  await other.goto(`${url}/account/wallet`);
  await removal.click();
  await question.getByRole("button", { name: "Remove", exact: true }).click();
  await other.getByText("sign in again with another sign-in method").waitFor();
  const signInAgain = other.getByRole("link", { name: "Sign in again" });
  expect(await signInAgain.getAttribute("href")).toContain("/api/auth/signin");
}

/** Undoing one of two logins ends only its own session. */
async function undoOneOfTwo(page: Page, url: string, member: RegExp): Promise<void> {
  const browser = page.context().browser();
  const other = await (await browser?.newContext())?.newPage();
  if (!other) throw new Error("no second window");
  const enter = async (at: Page, wallet: VirtualWallet) => {
    await at.goto(`${url}/login?mode=register&callbackUrl=/members`);
    const answer = await answerCode(at, wallet);
    await at.getByRole("heading", { name: member }).waitFor();
    return answer;
  };
  const { undo = "" } = await enter(page, new VirtualWallet());
  const { undo: others } = await enter(other, new VirtualWallet());
  const names = await Promise.all([page, other].map((at) => at.getByRole("heading").textContent()));
  expect(new Set(names).size).toBe(2);

  for (let times = 0; times < 2; times++) expect((await fetch(undo, { method: "POST" })).status).toBe(200);
  await page.reload();
  await page.getByRole("heading", { name: "Nobody" }).waitFor();
  await other.reload();
  await other.getByRole("heading", { name: member }).waitFor();
  expect((await fetch(others ?? "", { method: "POST" })).status).toBe(200);
  await other.reload();
  await other.getByRole("heading", { name: "Nobody" }).waitFor();
}

/** Adds the wallet, signs out, and signs in as the same user with the wallet. */
async function addWallet(page: Page, url: string, member: string): Promise<void> {
  const wallet = new VirtualWallet();
  await page.goto(`${url}/account/wallet`);
  await page.getByRole("button", { name: "Add a wallet" }).click();
  await answerCode(page, wallet);
  await page.getByText(formatCredentialName(wallet.publicKey)).waitFor();
  await page.getByRole("button", { name: "Add this wallet" }).click();
  await page.getByText("Your wallet has been added").waitFor();
  await page.context().clearCookies();
  await page.goto(`${url}/members`);
  await page.getByRole("heading", { name: "Nobody" }).waitFor();
  await page.goto(`${url}/login?callbackUrl=/members`);
  await answerCode(page, wallet);
  await page.getByRole("heading", { name: member, exact: true }).waitFor();
}

describe("an application with src/, Tailwind and @/*", () => {
  let app: string;
  beforeAll(async () => {
    const options = ["--src-dir", "--tailwind", "--import-alias", "@/*"];
    // The repository's TypeScript, because this application's types are checked four times. The other application uses
    // the version of `create-next-app`.
    app = await createApplication("with-src", "src", options, ["next", "typescript"]);
    await installPackage(app, ["@auth/pg-adapter@1.11.3", "better-auth@1.4.10", "@types/pg@8.23.1"]);
    follow(app, "src", (section) => /^[1-46]\./.test(section));
  }, 10 * MINUTES);

  /** Replaces the files with those of another application, and adds the guide's files for it. */
  function replaceLogin(files: Record<string, string>, sections: RegExp): void {
    rmSync(join(app, ".next"), { recursive: true, force: true });
    const own = [
      "app/api/auth",
      "app/api/tables",
      "app/wallet",
      "app/account",
      "lib",
      "instrumentation.ts",
      "app/login",
    ];
    for (const path of own) rmSync(join(app, "src", path), { recursive: true, force: true });
    follow(app, "src", (section) => /^[36]\./.test(section));
    follow(app, "src", (section) => sections.test(section));
    for (const [path, text] of Object.entries(files)) write(app, join("src", path), text);
  }

  test(
    "keeps its own NextAuth login and gains the wallet login",
    async () => {
      replaceLogin(WITH_TOKENS, /^5b|^With tokens of NextAuth|^Pass it/);
      await serve(app, async (page, url) => {
        await page.goto(url);
        await page.getByText("To get started").waitFor();
        const signIn = async (at: Page) => {
          await at.goto(`${url}/api/auth/signin?callbackUrl=/members`);
          await at.getByLabel("Password").fill("correct horse");
          await at.getByRole("button", { name: "Sign in with Password" }).click();
          await at.getByRole("heading", { name: "Member 1", exact: true }).waitFor();
        };
        await signIn(page);
        await addWallet(page, url, "Member 1");
        await replaceWallet(page, url, "Member 1", signIn);
        await page.context().clearCookies();

        await page.goto(`${url}/login`);
        await expectLooks(page);
        await undoOneOfTwo(page, url, /^Member customer-\d+$/);
      });
    },
    15 * MINUTES,
  );

  test("does not compile without findOrCreateUser", () => {
    const { text } = GUIDE.find(({ path }) => path === "lib/login.ts") ?? { text: "" };
    write(app, "src/lib/login.ts", text);
    const types = spawnSync("npx", ["tsc", "--noEmit"], { cwd: app, encoding: "utf8" });
    expect(types.stdout).toMatch(/src\/lib\/auth\.ts.*Property 'nextAuth' does not exist/);
  });

  test(
    "opens a NextAuth database session for a wallet, and ends it when the login is undone",
    async () => {
      replaceLogin(WITH_DATABASE_SESSIONS, /^5c|^Database sessions/);
      await run("npx", ["next", "typegen"], app, variables);
      await run("npx", ["tsc", "--noEmit"], app, variables);
      await sql(database.url, ADAPTER_TABLES);

      // The better-auth test below builds the same routes, so this test calls them in this process.
      vi.stubEnv("DATABASE_URL", database.url);
      vi.stubEnv("NEXTAUTH_SECRET", NEXTAUTH_SECRET);
      vi.stubEnv("APP_URL", ORIGIN);
      const load = (path: string) => import(join(app, "src", path));
      const { login }: { login: Login<string> } = await load("lib/login.ts");
      const { pool } = await load("lib/pool.ts");
      const { authOptions } = await load("lib/auth.ts");
      const { GET: enter } = await load("app/wallet/enter/route.ts");
      onTestFinished(async () => {
        await shutDown(() => pool.end());
        vi.unstubAllEnvs();
      });
      await login.start();

      const openSession = async () => {
        const browser = new SiteBrowser(login);
        const { sid, undo = "" } = await browser.answerLogin("mode=register", new VirtualWallet());
        const url = `${ORIGIN}/wallet/enter?sid=${sid}&callbackUrl=/members`;
        const response = await enter(new NextRequest(url, { headers: browser.headers }));
        expect(response.headers.get("location")).toBe("/members");
        const cookies = Object.fromEntries(
          response.cookies.getAll().map(({ name, value }: Record<"name" | "value", string>) => [name, value]),
        );
        const member = async () => {
          const request = new Request(`${ORIGIN}/api/auth/session`);
          const { answer } = await runNextAuth(authOptions, new URL(ORIGIN), request, ["session"], cookies);
          return (await answer.json()).user?.id;
        };
        const callUndo = async () => (await browser.send("POST", undo.slice(ORIGIN.length))).status;
        return { member, callUndo };
      };
      const [one, other] = [await openSession(), await openSession()];
      const [user, otherUser] = [await one.member(), await other.member()];
      expect(user).toBeGreaterThan(0);
      expect(otherUser).toBeGreaterThan(0);
      expect(otherUser).not.toBe(user);

      expect([await one.callUndo(), await one.callUndo()]).toEqual([200, 200]);
      expect(await one.member()).toBeUndefined();
      expect(await other.member()).toBe(otherUser);
      expect(await other.callUndo()).toBe(200);
      expect(await other.member()).toBeUndefined();
    },
    5 * MINUTES,
  );

  test(
    "opens a better-auth session for a wallet, and ends it when the login is undone",
    async () => {
      replaceLogin(WITH_BETTER_AUTH, /^5c|^better-auth|^With better-auth|^Pass it/);
      await serve(app, async (page, url) => {
        expect((await fetch(`${url}/api/tables`, { method: "POST" })).status).toBe(204);
        const ada = { name: "Ada", email: "ada@shop.example", password: "correct horse" };
        await page.goto(url);
        const signedUp = await page.request.post(`${url}/api/auth/sign-up/email`, {
          data: ada,
          headers: { origin: url },
        });
        expect(signedUp.status()).toBe(200);
        await page.goto(`${url}/members`);
        await page.getByRole("heading", { name: "Member Ada" }).waitFor();
        await addWallet(page, url, "Member Ada");
        await replaceWallet(page, url, "Member Ada", async (at) => {
          const signedIn = await at.request.post(`${url}/api/auth/sign-in/email`, {
            data: ada,
            headers: { origin: url },
          });
          expect(signedIn.status()).toBe(200);
        });
        await page.context().clearCookies();
        await undoOneOfTwo(page, url, /^Member Wallet \d+$/);
      });
    },
    15 * MINUTES,
  );
});

function writeBrowserTests(app: string, url: string): void {
  const listings = readListings(pageOf("testing-your-site.md"));
  const [config, login] = listings.filter(({ path }) => path !== null);
  const answer = listings.find(({ text }) => text.includes("refuses an unknown wallet"));
  const launchOptions = JSON.stringify({ ...LAUNCH_OPTIONS, executablePath: variables.BROWSER_PATH });
  write(
    app,
    "playwright.config.ts",
    (config?.text ?? "")
      .replaceAll("http://localhost:3000", url)
      .replace("baseURL", `launchOptions: ${launchOptions}, baseURL`),
  );
  const [, register, account] = /own: (".+") and (".+")/.exec(login?.text ?? "") ?? [];
  const tests = `${login?.text}${answer?.text}`
    .replace(/REGISTER = .*;/, `REGISTER = ${register};`)
    .replace(/ACCOUNT = .*;/, `ACCOUNT = ${account};`);
  write(app, "e2e/login.spec.ts", tests);
}

test(
  "adds the login to an application without src/, Tailwind or NextAuth and leaves its pages unchanged",
  async () => {
    const app = await createApplication("plain", "", [
      "--no-src-dir",
      "--no-tailwind",
      "--import-alias",
      "~/*",
    ]);
    await installPackage(app, ["@playwright/test@1.65.1"]);
    follow(app, "", (section) => /^[1-467]\.|^5a/.test(section));
    for (const file of readGuide(pageOf("protecting.md"))) writeFile(app, "", file);

    await serve(app, async (page, url) => {
      const wallet = new VirtualWallet();
      await page.goto(url);
      await page.getByText("To get started").waitFor();
      await page.goto(`${url}/account`);
      await page.waitForURL(/\/login\?callbackUrl=/);
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.waitForURL(/mode=register/);
      await expectLooks(page);
      await answerCode(page, wallet);
      await page.getByText(/signed in as user/).waitFor();
      await page.goto(`${url}/invoices`);
      await page.getByText(/^Signed in as user/).waitFor();
      expect((await page.request.get(`${url}/api/invoices`)).status()).toBe(200);
      expect((await fetch(`${url}/api/invoices`)).status).toBe(401);
      await page.goto(`${url}/account`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${url}/`);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(`${url}/login`);
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await wallet.respond(await page.evaluate(() => navigator.clipboard.readText()))).toBe(200);
      await page.getByText(/signed in as user/).waitFor();

      writeBrowserTests(app, url);
      expect(await run("npx", ["playwright", "test"], app, variables)).toMatch(/3 passed/);
    });
  },
  15 * MINUTES,
);

test("tests every file in the guide", () => {
  // Another test compiles the files for Prisma.
  const others = GUIDE.filter((file) => !followed.has(file) && !/^Your own users/.test(file.section));
  expect(others.map(({ section, path }) => `${section}: ${path}`)).toEqual([]);
});
