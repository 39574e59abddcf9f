import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Application,
  importPath,
  OTHER_FRAMEWORKS,
  readText,
  UnsupportedApplicationError,
} from "./application.ts";

/** What `init` adds: new files, and what is left to the application's owner. */
export type InitPlan = { files: { path: string; text: string }[]; byHand: string[] };

/**
 * Plans the files of the login. It changes none of the application's, and skips those that are there as planned.
 * @throws {UnsupportedApplicationError} if the application has others in their place, or a sign-in that needs decisions
 */
export function planInit(application: Application): InitPlan {
  const { root, base, nextAuth, packages } = application;
  if (nextAuth !== null && nextAuth > 4) {
    throw new UnsupportedApplicationError(
      "This application uses Auth.js 5. Its sign-in calls login.redeem.",
      OTHER_FRAMEWORKS,
    );
  }
  if (packages["better-auth"]) {
    throw new UnsupportedApplicationError(
      "This application uses better-auth.",
      "docs/existing-application.md#better-auth",
    );
  }
  const hasOwnAuth = ownAuthRoute(application) !== null;
  const files = filesOf(application, hasOwnAuth)
    .map(({ path, text }) => ({ path: join(base, path), text }))
    .filter(({ path, text }) => readText(root, path) !== text);
  // A file that uses the login was written by an earlier call, or by hand, and may have been changed since.
  const missing = files.filter(({ path }) => !/@svc\/|lib\/login/.test(readText(root, path) ?? ""));
  for (const { path } of missing) {
    if (readText(root, path) === null) continue;
    const how = path.endsWith("instrumentation.ts")
      ? "Call login.start() in its register"
      : "Add the login by hand";
    throw new UnsupportedApplicationError(`${path} exists, and init changes no file. ${how}.`);
  }
  return { files: missing, byHand: stepsOf(application, hasOwnAuth) };
}

export function writeFiles(root: string, files: InitPlan["files"]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // Never replaces a file that appeared meanwhile.
    writeFileSync(join(root, path), text, { flag: "wx" });
  }
}

const AUTH_ROUTE = "app/api/auth/[...nextauth]/route.ts";

function ownAuthRoute({ root, base, nextAuth }: Application): string | null {
  return nextAuth === null ? null : readText(root, join(base, AUTH_ROUTE));
}

// The imports of generated files are put together, so that they are not taken for imports of this one.
const from = (name: string) => `from ${JSON.stringify(name)}`;
const POSTGRES = JSON.stringify("@svc/postgres");
const STYLES = JSON.stringify("@svc/react/styles.css");

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function filesOf(application: Application, hasOwnAuth: boolean): InitPlan["files"] {
  const route = hasOwnAuth ? "app/api/svc/[...path]/route.ts" : "app/api/[...path]/route.ts";
  return [
    { path: "lib/login.ts", text: loginFile(application, hasOwnAuth) },
    { path: route, text: routeFile(importPath(application, route, "lib/login"), hasOwnAuth) },
    {
      path: "app/login/page.tsx",
      text: pageFile(importPath(application, "app/login/page.tsx", "lib/login")),
    },
    {
      path: "instrumentation.ts",
      text: instrumentationFile(importPath(application, "instrumentation.ts", "lib/login")),
    },
  ];
}

const USERS = `
/**
 * Finds or creates your user for a wallet's user, and returns its id. Called before the wallet's first sign-in.
 * Replace it: see "Your own users" in docs/existing-application.md.
 */
async function findOrCreateUser({ userId }: LoginUser): Promise<string> {
  throw new Error(\`lib/login.ts: find or create your user for the wallet's user \${userId}.\`);
}
`;

function loginFile({ packages }: Application, hasOwnAuth: boolean): string {
  const database =
    "@svc/postgres" in packages
      ? `const { databaseUrl, dataFolder, ...env } = readLoginEnv(process.env);
    // Without DATABASE_URL it starts a PostgreSQL, which only development installs.
    const url = databaseUrl ?? (await (await import(${POSTGRES})).ownDatabase(dataFolder));`
      : `const { databaseUrl: url, ...env } = readLoginEnv(process.env);
    if (url === undefined) throw new Error("DATABASE_URL: required, a PostgreSQL for the login's tables");`;
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

const pageFile = (login: string) => `import { readCallbackUrl } ${from("@svc/login/protocol")};
import { Login } ${from("@svc/react")};
import ${STYLES};
import { Suspense } ${from("react")};
import { login } ${from(login)};

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default function LoginPage({ searchParams }: Props) {
  return (
    <main style={{ maxWidth: "25rem", margin: "2rem auto", padding: "0 1rem" }}>
      <Suspense>
        <Panel searchParams={searchParams} />
      </Suspense>
    </main>
  );
}

async function Panel({ searchParams }: Props) {
  const { mode, callbackUrl } = await searchParams;
  const action = mode === "register" ? "register" : "login";
  return (
    <Login
      key={action}
      action={action}
      domain={await login.domain()}
      callbackUrl={readCallbackUrl(callbackUrl)}
      registerHref="/login?mode=register"
    />
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

function stepsOf({ packages }: Application, hasOwnAuth: boolean): string[] {
  const config = `In next.config.ts: serverExternalPackages: [${[...("@svc/postgres" in packages ? ["@svc/postgres"] : []), "libsecp256k1", "pg"].map((name) => JSON.stringify(name)).join(", ")}], images: { unoptimized: true }`;
  if (!hasOwnAuth) return [config];
  return [
    config,
    "In lib/login.ts: write findOrCreateUser, which gives a wallet's user an id among yours",
    "In your NextAuth options: wrap them in login.nextAuth.options({ … })",
    `In ${AUTH_ROUTE}: export login.nextAuth.guard(NextAuth(authOptions))`,
  ];
}
