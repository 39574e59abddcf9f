import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { type Application, readTextFile } from "./application.ts";
import { findVulnerabilities, listSourceFiles } from "./find-vulnerabilities.ts";
import { USERS_NOT_IMPLEMENTED } from "./init.ts";

export type Finding = { what: string; fix: string };

export function examineApplication(
  application: Application,
  env: Record<string, string | undefined>,
): Finding[] {
  const { root, base, packages } = application;
  const findings: Finding[] = [];
  const expects = expecting(findings);
  const text = (path: string) => readTextFile(root, join(base, path)) ?? "";
  const installed = (name: string) => existsSync(join(root, "node_modules", name));
  expects(installed("@svc/login"), "The package @svc/login is not installed", "install its tarball");
  const login = text("lib/login.ts");
  expects(login.includes("@svc/login"), `${join(base, "lib/login.ts")} is missing`, "run npx svc-login init");
  expects(
    "next-auth" in packages || !/\b(sitePlugins|nextAuth)\(/.test(login),
    "next-auth is not in package.json, and the login uses it for its sessions",
    "npm install next-auth@4",
  );
  expects(
    !login.includes(USERS_NOT_IMPLEMENTED),
    "findOrCreateUser finds no users yet, so no wallet can sign in",
    `write it in ${join(base, "lib/login.ts")}`,
  );
  expects(
    /\.start\(\)/.test(text("instrumentation.ts") + text("instrumentation-node.ts")),
    "instrumentation.ts does not start the login, so no request has a client's address",
    "call login.start() in its register()",
  );
  const routes = globSync("app/**/route.{ts,js}", { cwd: join(root, base) }).filter((path) =>
    text(path).includes("login"),
  );
  const serves = (path: string) => routes.some((route) => catches(route, path));
  expects(serves("/api/svc/qr"), "No route answers /api/svc/qr", "run npx svc-login init");
  expects(
    serves("/webhook/login") || /oneRoute:\s*true/.test(login),
    "No route answers /webhook/login, where wallets post",
    "give nextSite({ oneRoute: true }), or add app/webhook/[...path]/route.ts",
  );
  const vulnerabilities = findVulnerabilities(root).map(({ path, what, fix }) => ({
    what: `${path}: ${what.replace(/\.$/, "")}`,
    fix,
  }));
  return [...findings, ...examineConfig(root), ...examineAround(application, env), ...vulnerabilities];
}

function examineConfig(root: string): Finding[] {
  const findings: Finding[] = [];
  const expects = expecting(findings);
  const config = ["ts", "mjs", "js", "mts"]
    .map((end) => readTextFile(root, `next.config.${end}`) ?? "")
    .join("");
  expects(
    /unoptimized:\s*true/.test(config),
    "The image optimizer requests pages from inside the server, where rate limits see no client",
    "in next.config: images: { unoptimized: true }",
  );
  expects(
    config.includes("libsecp256k1"),
    "Native code would be bundled",
    'in next.config: serverExternalPackages: ["libsecp256k1", "pg"]',
  );
  return findings;
}

function examineAround(
  { root, base, nextAuth }: Application,
  env: Record<string, string | undefined>,
): Finding[] {
  const findings: Finding[] = [];
  const expects = expecting(findings);
  const text = (path: string) => readTextFile(root, join(base, path)) ?? "";
  const proxy = ["proxy.ts", "middleware.ts", "proxy.js", "middleware.js"].find((path) => text(path) !== "");
  if (proxy) {
    const interceptedPaths = ["/webhook/login", "/api/svc/qr"].filter((path) => matches(text(proxy), path));
    expects(
      interceptedPaths.length === 0 || !/redirect\(|rewrite\(|status:\s*40[13]/.test(text(proxy)),
      `${join(base, proxy)} may answer ${interceptedPaths.join(" and ")}, which have no session yet`,
      "exclude api and webhook in its matcher",
    );
  }
  const variables = { ...variablesOf(root), ...env };
  expects(
    !variables.DATABASE_URL || (variables.NEXTAUTH_SECRET ?? "").length >= 32,
    "NEXTAUTH_SECRET is missing or short, and is required with DATABASE_URL",
    "set it to the output of: openssl rand -base64 32",
  );
  if (nextAuth === 4 && text("app/api/auth/[...nextauth]/route.ts").includes("NextAuth(")) {
    expects(
      text("app/api/auth/[...nextauth]/route.ts").includes("nextAuth.guard("),
      "NextAuth's handler has no guard, so wallets cannot sign in",
      "export login.nextAuth.guard(NextAuth(authOptions)) in app/api/auth/[...nextauth]/route.ts",
    );
    expects(
      listSourceFiles(join(root, base)).some((path) => text(path).includes("nextAuth.options(")),
      "NextAuth's options lack the wallet's provider, so no wallet can sign in",
      "wrap them: authOptions = login.nextAuth.options({ … })",
    );
  }
  return findings;
}

const expecting = (findings: Finding[]) => (isFine: boolean, what: string, fix: string) => {
  if (!isFine) findings.push({ what, fix });
};

function catches(route: string, path: string): boolean {
  const pattern = route
    .split(/[\\/]/)
    .slice(1, -1)
    .filter((segment) => !/^\(.*\)$/.test(segment));
  const segments = path.split("/").slice(1);
  const catchAll = pattern.findIndex((segment) => segment.startsWith("[..."));
  const length = catchAll < 0 ? pattern.length : catchAll;
  if (catchAll < 0 ? segments.length !== length : segments.length <= length) return false;
  return pattern.slice(0, length).every((segment, at) => /^\[/.test(segment) || segment === segments[at]);
}

/** A proxy without a matcher covers every path. */
function matches(proxy: string, path: string): boolean {
  const [, listed] = /matcher\s*:\s*(\[[\s\S]*?\]|"[^"]*"|'[^']*')\s*[,}\n;]/.exec(proxy) ?? [];
  const matchers = [...(listed ?? "").matchAll(/["'](\/[^"']*)["']/g)].map(([, each = ""]) => each);
  if (matchers.length === 0) return true;
  return matchers.some((matcher) => {
    const pattern = matcher
      .replaceAll("\\\\", "\\")
      .replace(/\/:\w+\*/g, "(?:/.*)?")
      .replace(/:\w+/g, "[^/]+");
    try {
      return new RegExp(`^${pattern}$`).test(path);
    } catch {
      return true;
    }
  });
}

function variablesOf(root: string): Record<string, string> {
  const files = [".env", ".env.local", ".env.production", ".env.production.local"];
  const lines = files.flatMap((file) => (readTextFile(root, file) ?? "").split("\n"));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = "", value = ""] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name ? [[name, value.replace(/^(["'])(.*)\1$/, "$2")]] : [];
    }),
  );
}
