import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Application, readApplication, UnsupportedApplicationError } from "./application.ts";
import { examineApplication } from "./doctor.ts";
import { eject, updateEjectedFiles } from "./eject.ts";
import { explainStylesheetImport, planInit, writeFiles } from "./init.ts";

const TSCONFIG = `{ // as create-next-app writes it
  "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }`;
const NEW = {
  "package.json": {
    ...{ next: "16.4.3", "next-auth": "4.24.15", "@svc/react": "file:z.tgz" },
    ...{ "@svc/login": "file:x.tgz", "@svc/postgres": "file:y.tgz" },
  },
  "tsconfig.json": TSCONFIG,
  "src/app/page.tsx": "export default function Home() { return null; }",
  "node_modules/@svc/login/package.json": "{}",
};
type Files = Record<string, string | Record<string, string>>;

/** An object is written as the dependencies in package.json. */
function folderOf(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "svc-init-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify({ dependencies: content });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const applicationOf = (files: Files): Application => readApplication(folderOf(files));
const textOf = (files: { path: string; text: string }[], path: string) =>
  files.find((file) => file.path === path)?.text;

test("adds four files below src that use the application's import alias", () => {
  const application = applicationOf(NEW);
  const { files, manualSteps } = planInit(application);
  expect(files.map(({ path }) => path)).toEqual([
    "src/lib/login.ts",
    "src/app/api/[...path]/route.ts",
    "src/app/login/page.tsx",
    "src/instrumentation.ts",
  ]);
  expect(textOf(files, "src/app/login/page.tsx")).toContain('from "@/lib/login"');
  expect(textOf(files, "src/lib/login.ts")).toContain("@svc/postgres");
  expect(manualSteps.join("\n")).toMatch(
    /^Add to the object in next\.config[\s\S]*\nAdd \.data\/ to \.gitignore[^\n]*$/,
  );
  writeFiles(application.root, files);
  expect(planInit(application).files).toEqual([]);
  writeFileSync(join(application.root, "src/lib/login.ts"), `${textOf(files, "src/lib/login.ts")}// mine\n`);
  expect(planInit(application).files).toEqual([]);
});

test("uses relative imports in an application without an alias", () => {
  const { files, manualSteps } = planInit(
    applicationOf({ "package.json": { next: "^16.0.0" }, "tsconfig.json": "{}", "app/page.tsx": "" }),
  );
  expect(manualSteps.join("\n")).toMatch(/npm install \.\/svc-react\S+ next-auth@4[\s\S]*DATABASE_URL/);
  expect(textOf(files, "app/api/[...path]/route.ts")).toContain('from "../../../lib/login"');
  expect(textOf(files, "instrumentation.ts")).toContain('import("./lib/login")');
  expect(textOf(files, "lib/login.ts")).toContain("DATABASE_URL is missing");
});

test("leaves an application's NextAuth configuration unchanged and prints how to connect its users", () => {
  const { files, manualSteps } = planInit(
    applicationOf({
      ...NEW,
      "package.json": { next: "16.4.3", "next-auth": "4.24.15" },
      "src/app/api/auth/[...nextauth]/route.ts": "export { handler as GET };",
    }),
  );
  expect(files.map(({ path }) => path)).toContain("src/app/api/svc/[...path]/route.ts");
  expect(textOf(files, "src/lib/login.ts")).toMatch(/afterLogin: "\/", findOrCreateUser \}/);
  expect(manualSteps.join("\n")).toMatch(/nextAuth\.options[\s\S]*nextAuth\.guard/);
});

test("creates its login page below the existing sign-in page of an application with NextAuth", () => {
  const application = applicationOf({
    ...NEW,
    "src/app/api/auth/[...nextauth]/route.ts": "export { handler as GET };",
    "src/app/login/page.tsx": "mine",
  });
  const { files, manualSteps } = planInit(application);
  const page = textOf(files, "src/app/login/wallet/page.tsx");
  expect(page).toContain("/login/wallet?$");
  expect(page).toContain('withCallbackUrl("/login", callbackUrl)}>Sign in without a wallet<');
  expect(manualSteps.join("\n")).toContain("Link to /login/wallet");
  writeFiles(application.root, files);
  expect(planInit(application).files).toEqual([]);
});

test("does not add a second NextAuth route to a site that mounts the login's own NextAuth handler", () => {
  const site = {
    ...NEW,
    "src/app/api/auth/[...nextauth]/route.ts": "export const { GET, POST } = login.auth;",
    "src/app/api/[...path]/route.ts": 'import { login } from "@/lib/login";',
  };
  expect(planInit(applicationOf(site)).files.map(({ path }) => path)).not.toContain(
    "src/app/api/svc/[...path]/route.ts",
  );
});

test("explains how utility classes can override the styles", () => {
  expect(explainStylesheetImport(applicationOf(NEW))).not.toContain("Tailwind");
  const withTailwind = { ...NEW, "package.json": { next: "16.4.3", tailwindcss: "^4" } };
  expect(explainStylesheetImport(applicationOf(withTailwind))).toMatch(
    /needs no change[\s\S]*layer\(components\)/,
  );
});

test.each<[string, Files, RegExp, string]>([
  ["no package.json", { "app/page.tsx": "" }, /no package\.json/, "existing-application"],
  ["a broken package.json", { "package.json": "{" }, /Fix it first/, "existing-application"],
  ["no Next.js", { "package.json": { hono: "4.0.0" } }, /does not name next/, "other-frameworks"],
  ["an old Next.js", { ...NEW, "package.json": { next: "15.1.0" } }, /needs Next\.js 16/, "existing"],
  [
    "only the Pages Router",
    { "package.json": { next: "16.0.0" }, "pages/index.tsx": "" },
    /App Router/,
    "existing-application",
  ],
  ["JavaScript", { "package.json": { next: "16.0.0" }, "app/page.js": "" }, /TypeScript/, "existing"],
  [
    "Auth.js 5",
    { ...NEW, "package.json": { next: "16.0.0", "next-auth": "5.0.0-beta.30" } },
    /Auth\.js 5/,
    "other-frameworks",
  ],
  [
    "better-auth",
    { ...NEW, "package.json": { next: "16.0.0", "better-auth": "1.4.10" } },
    /better-auth/,
    "#better-auth",
  ],
  [
    "its own login page",
    { ...NEW, "src/app/login/page.tsx": "mine" },
    /page\.tsx already exists/,
    "existing",
  ],
  ["its own instrumentation", { ...NEW, "src/instrumentation.ts": "mine" }, /login\.start\(\)/, "existing"],
])(
  "refuses an application that it does not support, and names the guide: %s",
  (_what, files, sentence, page) => {
    const plan = () => planInit(applicationOf(files));
    expect(plan).toThrow(UnsupportedApplicationError);
    expect(plan).toThrow(sentence);
    expect(plan).toThrow(expect.objectContaining({ page: expect.stringContaining(page) }));
  },
);

const CONFIG = `export default { serverExternalPackages: ["libsecp256k1"], images: { unoptimized: true } };`;

function withLogin(files: Files): Application {
  const application = applicationOf({ ...NEW, "next.config.ts": CONFIG, ...files });
  writeFiles(application.root, planInit(application).files);
  return application;
}

test("reports no missing parts once init has run and the user has completed the remaining step", () => {
  expect(examineApplication(withLogin({}), {})).toEqual([]);
});

const GUARDED = "export default function proxy() { return Response.redirect('/login'); }";

test.each<[string, Files, RegExp]>([
  ["no configuration", { "next.config.ts": "export default {};" }, /image optimizer[\s\S]*Native code/],
  [
    "no next-auth",
    { "package.json": { next: "16.4.3", "@svc/postgres": "file:y.tgz" } },
    /next-auth is not in/,
  ],
  ["a proxy for every path", { "src/proxy.ts": GUARDED }, /\/webhook\/login and \/api\/svc\/qr/],
  [
    "a proxy that leaves out api",
    { "src/proxy.ts": `${GUARDED} export const config = { matcher: ["/((?!api|_next).*)"] };` },
    /may answer \/webhook\/login, which/,
  ],
  ["no secret", { ".env.local": 'DATABASE_URL="postgresql://u@h/d"\n' }, /NEXTAUTH_SECRET/],
  [
    "the function that finds users as init writes it",
    { "src/app/api/auth/[...nextauth]/route.ts": "export { guard as GET };" },
    /findOrCreateUser/,
  ],
  [
    "NextAuth options without the login's",
    {
      "package.json": { next: "16.4.3", "next-auth": "4.24.15", "@svc/postgres": "file:y.tgz" },
      "src/app/api/auth/[...nextauth]/route.ts": "login.nextAuth.guard(NextAuth(authOptions));",
      "src/auth.ts": "export const authOptions = {};",
    },
    /options lack the wallet's provider/,
  ],
  [
    "a known vulnerability",
    { "src/words.ts": "header.split(/\\s*;\\s*q=/)" },
    /words\.ts: .*anyone can block/,
  ],
])("reports a fault in an application: %s", (_what, files, found) => {
  const findings = examineApplication(withLogin(files), {});
  expect(findings.map(({ what }) => what).join("\n")).toMatch(found);
});

test("accepts a secret and a proxy whose matcher excludes the login", () => {
  const matcher = `matcher: ["/((?!api|webhook|_next).*)", "/account/:path*"]`;
  const files = {
    "src/proxy.ts": `${GUARDED} export const config = { ${matcher} };`,
    ".env": `DATABASE_URL=postgresql://u@h/d\nNEXTAUTH_SECRET='${"0123456789".repeat(4)}'`,
  };
  expect(examineApplication(withLogin(files), {})).toEqual([]);
});

test("can examine an application whose folders and links are named like source files", () => {
  const application = withLogin({ "src/app/wallet/sw.js/route.ts": "" });
  symlinkSync("nowhere", join(application.root, "src/gone.ts"));
  expect(examineApplication(application, {})).toEqual([]);
});

test("lists everything that is missing in an application without the login", () => {
  const findings = examineApplication(
    applicationOf({ ...NEW, "node_modules/@svc/login/package.json": "{}" }),
    {},
  );
  expect(findings.map(({ what }) => what).join("\n")).toMatch(
    /login\.ts is missing[\s\S]*start[\s\S]*qr[\s\S]*webhook/,
  );
});

test("updates copied components only if their owner has not changed them", () => {
  const source = "node_modules/@svc/react/src";
  const application = applicationOf({
    ...NEW,
    [`${source}/index.ts`]: "one",
    [`${source}/ui/button.tsx`]: "one",
    [`${source}/styles.css`]: "one",
  });
  const { root } = application;
  expect(eject(application)).toMatchObject({ folder: "src/components/svc-login", files: { length: 3 } });
  expect(() => eject(application)).toThrow(/exists already/);
  const copy = (path: string) => join(root, "src/components/svc-login", path);
  writeFileSync(copy("ui/button.tsx"), "mine");
  rmSync(copy("styles.css"));
  for (const path of ["index.ts", "ui/button.tsx", "styles.css"])
    writeFileSync(join(root, source, path), "two");
  expect(updateEjectedFiles(application)).toEqual({
    replaced: ["src/components/svc-login/index.ts"],
    left: ["src/components/svc-login/ui/button.tsx"],
  });
  expect(readFileSync(copy("index.ts"), "utf8")).toBe("two");
  expect(readFileSync(copy("ui/button.tsx"), "utf8")).toBe("mine");
});

test("names the required version on an older Node.js", () => {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
    const fs = process.getBuiltinModule("node:fs");
    delete fs.globSync;
    process.getBuiltinModule("node:module").syncBuiltinESMExports();`;
  const bin = join(import.meta.dirname, "bin.ts");
  const run = spawnSync(process.execPath, [
    ...["--import", `data:text/javascript,${encodeURIComponent(older)}`],
    ...[bin, "--help"],
  ]);
  expect(run.stderr.toString()).toMatch(/^Node\.js 22\.18 or newer is needed, and this is 20\.20\.2/);
  expect(run.status).toBe(1);
});
