import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { linkPackages } from "#e2e/support/link-packages.ts";
import { VirtualWallet } from "#lib/login/testing/virtual-wallet.ts";
import { createTestDatabase, type TestDatabase } from "#scripts/kit/database.ts";
import { NEXTAUTH_SECRET } from "#scripts/kit/start-app.ts";
import { freePort } from "#scripts/kit/start-server.ts";
import {
  BUILT_ONCE,
  configure,
  edit,
  refusedStart,
  run,
  shellVariables,
  whileServed,
  withPage,
} from "./generated-site.ts";
import { readGuide } from "./read-guide.ts";

/** docs/existing-application.md, followed to the letter in two fresh applications. */

const CREATE_NEXT_APP = "create-next-app@16.4.3";
/** The login's package: the installed site has been given it. */
const TARBALL = "svc-login-0.1.0.tgz";
const ROOT = join(import.meta.dirname, "..", "..");
const GUIDE = readGuide(readFileSync(join(ROOT, "docs", "existing-application.md"), "utf8"));
const MINUTES = 60_000;

const installed = inject("installedSite");
const folder = mkdtempSync(join(tmpdir(), "svc existing "));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
}, 5 * MINUTES);
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

// With the tests' own NODE_ENV the framework would not read `.env.local`.
const variables = shellVariables();

function write(app: string, path: string, text: string): void {
  const file = join(app, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * A new application, as `create-next-app` makes it, without the fonts that its build would download, and on the Next of
 * this repository, which is installed already.
 */
function createApplication(name: string, base: string, options: string[]): string {
  const always = ["--ts", "--app", "--no-linter", "--use-npm", "--disable-git", "--skip-install", "--yes"];
  run("npx", ["--yes", CREATE_NEXT_APP, name, ...always, ...options], folder, variables);
  const app = join(folder, name);
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/next/package.json"), "utf8"));
  const manifest = readFileSync(join(app, "package.json"), "utf8");
  write(app, "package.json", manifest.replace(/(?<="next": ")[^"]+/, version));
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

/** Steps 1 to 7, with the sections of step 5 and later that the application needs. */
function followGuide(
  app: string,
  base: string,
  needs: (section: string) => boolean,
  packages: string[],
): void {
  cpSync(join(installed, TARBALL), join(app, TARBALL));
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
  run("npm", [...install, `./${TARBALL}`, "qrcode.react@4.2.0", ...packages], app, variables);
  for (const { section, path, text, isAdded } of GUIDE) {
    if (!needs(section)) continue;
    if (isAdded) edit(app, path, (before) => before.replace(/(: NextConfig = \{\n)/, `$1${text}`));
    else write(app, join(base, path), text);
  }
}

/** Builds the application, serves it, and hands it to `visit`, which must see no error in the browser's console. */
async function serve(app: string, visit: (page: Page, url: string) => Promise<void>): Promise<void> {
  const PORT = String(await freePort());
  const address = `APP_URL=http://localhost:${PORT}`;
  write(
    app,
    ".env.local",
    `DATABASE_URL=${database.url}\nNEXTAUTH_SECRET="${NEXTAUTH_SECRET}"\n${address}\n`,
  );
  run("npm", ["run", "build"], app, variables);
  await whileServed(app, { ...variables, PORT }, (url) =>
    withPage(MINUTES, async (page, errors) => {
      await visit(page, url);
      expect(errors).toEqual([]);
    }),
  );
}

/** What the looks of the guide come to: a code of the panel's width, and colours taken from the page around it. */
async function expectLooks(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: "localhost" });
  await panel.getByRole("img", { name: /^QR code/ }).waitFor();
  // The wallet for development.
  expect(await panel.getByRole("button").count()).toBe(0);
  const measured = await panel.evaluate((section) => {
    const styleOf = (element: Element | null) => getComputedStyle(element ?? section);
    const widthOf = (selector: string) => section.querySelector(selector)?.getBoundingClientRect().width;
    const isLikeThePage = styleOf(section).color === getComputedStyle(document.body).color;
    const [, alpha] = /\/ ([\d.]+)\)$/.exec(styleOf(section).borderTopColor) ?? [];
    return {
      ...{
        panel: section.getBoundingClientRect().width,
        code: widthOf("svg"),
        button: widthOf("a[href^=svc]"),
      },
      ...{ border: styleOf(section).borderTopWidth, alpha, isLikeThePage },
      title: styleOf(section.querySelector("h1")).fontSize,
      underline: styleOf(section.querySelector("p a")).textDecorationLine,
      quiet: styleOf(section.querySelector("svg path")).fill,
    };
  });
  expect(measured).toEqual({
    ...{ panel: 400, code: 350, button: 350, border: "1px", alpha: "0.2", isLikeThePage: true },
    ...{ title: "20px", underline: "underline", quiet: "rgb(255, 255, 255)" },
  });
}

/** Answers the code on the page. */
async function answerCode(page: Page, wallet: VirtualWallet): Promise<void> {
  const link = page.getByRole("link", { name: "Open in wallet" });
  await link.waitFor();
  expect(await wallet.respond((await link.getAttribute("href")) ?? "")).toBe(200);
}

/** What the application with NextAuth had before: a password, users, and a page for members. */
const ITS_OWN = {
  "lib/password-provider.ts": `import CredentialsProvider from "next-auth/providers/credentials";

export const passwordProvider = CredentialsProvider({
  name: "Password",
  credentials: { password: { label: "Password", type: "password" } },
  authorize: async (fields) => (fields?.password === "correct horse" ? { id: "1", name: "Ada" } : null),
});
`,
  "lib/users.ts": `/** Stands for a table of users with a unique column. */
export async function findOrCreateWalletUser(walletUser: number): Promise<string> {
  return \`customer-\${walletUser}\`;
}
`,
  "app/members/page.tsx": `import { getServerSession } from "next-auth";
import { Suspense } from "react";
import { authOptions } from "@/lib/auth";

export default function MembersPage() {
  return <Suspense><Members /></Suspense>;
}

async function Members() {
  const session = await getServerSession(authOptions);
  const user = session?.user as { id?: string } | undefined;
  return <h1>{user ? \`Member \${user.id}\` : "Nobody"}</h1>;
}
`,
};

test(
  "an application with src/, Tailwind, @/* and NextAuth options of its own keeps its login and gets the wallet's",
  async () => {
    const app = createApplication("with-src", "src", ["--src-dir", "--tailwind", "--import-alias", "@/*"]);
    for (const [path, text] of Object.entries(ITS_OWN)) write(app, join("src", path), text);
    followGuide(app, "src", (section) => !/^5a|^7/.test(section), ["next-auth@4.24.15"]);

    await serve(app, async (page, url) => {
      await page.goto(url);
      await page.getByText("To get started").waitFor();
      await page.goto(`${url}/api/auth/signin?callbackUrl=/members`);
      await page.getByLabel("Password").fill("correct horse");
      await page.getByRole("button", { name: "Sign in with Password" }).click();
      await page.getByRole("heading", { name: "Member 1", exact: true }).waitFor();
      await page.context().clearCookies();

      await page.goto(`${url}/login?mode=register&callbackUrl=/members`);
      await expectLooks(page);
      await answerCode(page, new VirtualWallet());
      await page.getByRole("heading", { name: /^Member customer-\d+$/ }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: /^Member customer-\d+$/ }).waitFor();
    });

    // Without users of its own: with the set-up of step 3.
    const { text } = GUIDE.find(({ path }) => path === "lib/login.ts") ?? { text: "" };
    write(app, "src/lib/login.ts", text);
    const types = spawnSync("npx", ["tsc", "--noEmit"], { cwd: app, encoding: "utf8" });
    expect(types.stdout).toMatch(/src\/lib\/auth\.ts.*Property 'nextAuth' does not exist/);
    expect(types.stdout).toMatch(/enter\/route\.ts.*Property 'redeem' does not exist/);
    const PORT = String(await freePort());
    expect(refusedStart(app, { ...variables, PORT }, "dev")).toMatch(
      /^exit code 1\n[\s\S]*Not started:\nfindOrCreateUser: required/,
    );
  },
  15 * MINUTES,
);

test(
  "an application without src/, Tailwind and NextAuth gets the login with its own pages as they were",
  async () => {
    const app = createApplication("plain", "", ["--no-src-dir", "--no-tailwind", "--import-alias", "~/*"]);
    followGuide(app, "", (section) => !/^5[bc]/.test(section), []);

    await serve(app, async (page, url) => {
      const wallet = new VirtualWallet();
      await page.goto(url);
      await page.getByText("To get started").waitFor();
      await page.goto(`${url}/account`);
      await page.waitForURL(/\/login\?callbackUrl=/);
      await page.getByRole("link", { name: "Create one with your wallet" }).click();
      await page.waitForURL(/mode=register/);
      await expectLooks(page);
      await answerCode(page, wallet);
      await page.getByText(/signed in as user/).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${url}/`);
      await page.goto(`${url}/login`);
      await answerCode(page, wallet);
      await page.getByText(/signed in as user/).waitFor();
    });
  },
  15 * MINUTES,
);
