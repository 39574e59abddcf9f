import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Application,
  formatImportPath,
  OTHER_FRAMEWORKS_GUIDE,
  readTextFile,
  UnsupportedApplicationError,
} from "./application.ts";

/** The result of `init`: the new files, and the steps that the application's owner must take manually. */
export type InitPlan = { files: { path: string; text: string }[]; manualSteps: string[] };

/**
 * Plans the files that add the login. Skips files that already exist with the same content or already use the login.
 * @throws {UnsupportedApplicationError} if a different file already exists at one of the paths, or if the application
 * uses a sign-in that `init` does not support
 */
export function planInit(application: Application): InitPlan {
  const { root, base, nextAuth, packages } = application;
  if (nextAuth !== null && nextAuth > 4) {
    throw new UnsupportedApplicationError(
      "This application uses Auth.js 5. Its sign-in calls login.redeem.",
      OTHER_FRAMEWORKS_GUIDE,
    );
  }
  if (packages["better-auth"]) {
    throw new UnsupportedApplicationError(
      "This application uses better-auth.",
      "docs/existing-application.md#better-auth",
    );
  }
  const hasOwnAuth = hasOwnNextAuth(application);
  const files = filesOf(application, hasOwnAuth)
    .map(({ path, text }) => ({ path: join(base, path), text }))
    .filter(({ path, text }) => readTextFile(root, path) !== text);
  // A file that already uses the login is kept. An earlier call or the owner wrote it, and it may have been edited.
  const missing = files.filter(({ path }) => !/@svc\/|lib\/login/.test(readTextFile(root, path) ?? ""));
  for (const { path } of missing) {
    if (readTextFile(root, path) === null) continue;
    const nextStep = path.endsWith("instrumentation.ts")
      ? "Call login.start() in its register"
      : "Add the login by hand";
    throw new UnsupportedApplicationError(
      `${path} already exists, and init does not change existing files. ${nextStep}.`,
    );
  }
  return { files: missing, manualSteps: stepsOf(application, hasOwnAuth) };
}

export function writeFiles(root: string, files: InitPlan["files"]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // With the flag `wx`, this call throws if the file has been created in the meantime.
    writeFileSync(join(root, path), text, { flag: "wx" });
  }
}

const AUTH_ROUTE = "app/api/auth/[...nextauth]/route.ts";

/** Returns whether the application configures NextAuth itself instead of exporting `login.auth`. */
function hasOwnNextAuth({ root, base, nextAuth }: Application): boolean {
  const route = nextAuth === null ? null : readTextFile(root, join(base, AUTH_ROUTE));
  return route !== null && !/\blogin\.auth\b/.test(route);
}

/** Returns the folder of the login page, which differs if the application already has its own sign-in page. */
function pageFolder({ root, base }: Application, hasOwnAuth: boolean): string {
  const page = hasOwnAuth ? readTextFile(root, join(base, "app/login/page.tsx")) : null;
  return page === null || page.includes("@svc/") ? "app/login" : "app/login/wallet";
}

// Builds the imports of generated files from parts, so that tools do not mistake them for imports of this file.
const from = (name: string) => `from ${JSON.stringify(name)}`;
const POSTGRES = JSON.stringify("@svc/postgres");
const STYLES = JSON.stringify("@svc/react/styles.css");

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function filesOf(application: Application, hasOwnAuth: boolean): InitPlan["files"] {
  const route = hasOwnAuth ? "app/api/svc/[...path]/route.ts" : "app/api/[...path]/route.ts";
  const page = `${pageFolder(application, hasOwnAuth)}/page.tsx`;
  return [
    { path: "lib/login.ts", text: loginFile(application, hasOwnAuth) },
    { path: route, text: routeFile(formatImportPath(application, route, "lib/login"), hasOwnAuth) },
    {
      path: page,
      text: pageFile(
        formatImportPath(application, page, "lib/login"),
        page.slice("app".length, -"/page.tsx".length),
        hasOwnAuth,
      ),
    },
    {
      path: "instrumentation.ts",
      text: instrumentationFile(formatImportPath(application, "instrumentation.ts", "lib/login")),
    },
  ];
}

/** Part of the error that the generated `findOrCreateUser` throws until the application's owner implements it. */
export const USERS_NOT_IMPLEMENTED = "find or create your user for the wallet's user";

const USERS = `
/**
 * Finds or creates your user for a wallet's user, and returns its id. Called before the wallet's first sign-in.
 * Replace it: see "Your own users" in docs/existing-application.md.
 */
async function findOrCreateUser({ userId }: LoginUser): Promise<string> {
  throw new Error(\`lib/login.ts: ${USERS_NOT_IMPLEMENTED} \${userId}.\`);
}
`;

function loginFile({ packages }: Application, hasOwnAuth: boolean): string {
  const database =
    "@svc/postgres" in packages
      ? `const { databaseUrl, dataFolder, ...env } = readLoginEnv(process.env);
    // Without DATABASE_URL, start the embedded PostgreSQL, which is installed only for development.
    const url = databaseUrl ?? (await (await import(${POSTGRES})).startPostgres(dataFolder));`
      : `const { databaseUrl: url, ...env } = readLoginEnv(process.env);
    if (url === undefined) throw new Error("DATABASE_URL is missing: the login needs a PostgreSQL database");`;
  return `import { createLogin, ${hasOwnAuth ? "type LoginUser, " : ""}readLoginEnv, sitePlugins } ${from("@svc/login")};

/** The login of this site. It is set up when the server starts, from the environment. */
export const login = createLogin({
  plugins: sitePlugins({ oneRoute: true }),
  async setUp() {
    ${database}
    return { ...env, databaseUrl: url, afterLogin: "/"${hasOwnAuth ? ", findOrCreateUser" : ""} };
  },
});
${hasOwnAuth ? USERS : ""}`;
}

function routeFile(login: string, hasOwnAuth: boolean): string {
  if (hasOwnAuth) {
    return `import { login } ${from(login)};

/** The login's endpoints, for browsers and wallets. */
export const { ${METHODS.join(", ")} } = login.routes;
`;
  }
  return `import { login } ${from(login)};

/** The login's endpoints, for browsers and wallets, and NextAuth's. */
function answer(request: Request): Promise<Response> {
  const isAuth = new URL(request.url).pathname.startsWith("/api/auth/");
  return isAuth ? login.auth.POST(request) : login.routes.POST(request);
}

export { ${METHODS.map((method) => `answer as ${method}`).join(", ")} };
`;
}

const OTHER_SIGN_IN = `
      <p className="svc-centered">
        <TextLink href={withCallbackUrl("/login", callbackUrl)}>Sign in without a wallet</TextLink>
      </p>`;

const pageFile = (
  login: string,
  path: string,
  hasOwnAuth: boolean,
) => `import { readCallbackUrl, withCallbackUrl } ${from("@svc/login/protocol")};
import { Container, Login, TextLink } ${from("@svc/react")};
import ${STYLES};
import { Suspense } ${from("react")};
import { login } ${from(login)};

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default function LoginPage({ searchParams }: Props) {
  return (
    <main>
      <Container>
        <h1 className="svc-sr-only">Sign in with your wallet</h1>
        <Suspense>
          <Panel searchParams={searchParams} />
        </Suspense>
      </Container>
    </main>
  );
}

async function Panel({ searchParams }: Props) {
  const { mode, callbackUrl: given } = await searchParams;
  const callbackUrl = readCallbackUrl(given);
  const action = mode === "register" ? "register" : "login";
  const registerHref = \`${path}?\${new URLSearchParams({ mode: "register", ...(callbackUrl && { callbackUrl }) })}\`;
  return (
    <Login
      key={action}${hasOwnAuth ? "\n      direct={false}" : ""}
      action={action}
      domain={await login.domain()}
      callbackUrl={callbackUrl}
      registerHref={registerHref}
    >
      <p className="svc-centered">
        {action === "login" ? "New here? " : "Already have an account? "}
        <TextLink href={action === "login" ? registerHref : withCallbackUrl(${JSON.stringify(path)}, callbackUrl)}>
          {action === "login" ? "Create an account" : "Sign in"}
        </TextLink>
      </p>${path === "/login" ? "" : OTHER_SIGN_IN}
    </Login>
  );
}
`;

const instrumentationFile = (login: string) => `/** Next calls this once, when the server starts. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { login } = await import(${JSON.stringify(login)});
  await login.start();
}
`;

/**
 * The packages that the login page needs but `@svc/login` does not install, each with its argument for `npm install`.
 */
const NEEDED = { "@svc/react": "./svc-react-0.1.0.tgz", "next-auth": "next-auth@4" };

/** Lists, in order, the edits that only the application's owner can make. */
function stepsOf(application: Application, hasOwnAuth: boolean): string[] {
  const { packages } = application;
  const folder = pageFolder(application, hasOwnAuth);
  const hasPostgres = "@svc/postgres" in packages;
  const missing = Object.entries(NEEDED).flatMap(([name, install]) => (name in packages ? [] : [install]));
  const external = [...(hasPostgres ? ["@svc/postgres"] : []), "libsecp256k1", "pg"];
  const steps = [
    missing.length > 0 && `Install what is missing: npm install ${missing.join(" ")}`,
    `Add to the object in next.config:
    serverExternalPackages: ${JSON.stringify(external).replaceAll(",", ", ")},
    images: { unoptimized: true },`,
    hasOwnAuth &&
      "In lib/login.ts: write findOrCreateUser, which returns the id of your user for a wallet's user.",
    hasOwnAuth &&
      `Wrap your NextAuth options:
    export const authOptions: NextAuthOptions = login.nextAuth.options({ … });`,
    hasOwnAuth &&
      `In ${AUTH_ROUTE}, guard the handler:
    const handler = login.nextAuth.guard(NextAuth(authOptions));`,
    hasOwnAuth &&
      'To let existing users add a wallet, follow "Add a wallet to an existing user" in docs/existing-application.md.',
    folder !== "app/login" && `Link to ${folder.slice("app".length)} from your sign-in page.`,
    hasPostgres &&
      !readTextFile(application.root, ".gitignore")?.includes(".data") &&
      "Add .data/ to .gitignore. The development database and its secrets are in this folder.",
    !hasPostgres &&
      `In .env.local: DATABASE_URL of a PostgreSQL database, and NEXTAUTH_SECRET, the output of: openssl rand -base64 32`,
  ];
  return steps.filter((step) => step !== false);
}

/** Describes how to adapt the panel's styles to the application's styles. */
export function explainStylesheetImport({ packages }: Application): string {
  const plain = `The panel's styles are plain CSS, and take on your page's font and colours, light or dark. To match your buttons, set
--svc-radius and --svc-primary on :root.`;
  if (!packages.tailwindcss) return plain;
  return `${plain}
Tailwind needs no change. Only if your utilities should win over these styles, move the import
from the page into your CSS, below @import "tailwindcss": @import ${STYLES} layer(components);`;
}
