import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ConfigurationError } from "./options.ts";
import { readLoginEnv, readOrCreateSecret } from "./read-login-env.ts";

const DATABASE_URL = "postgresql://site@db.example/site";
const NEXTAUTH_SECRET = "0123456789abcdefghijklmnopqrstuv";
const OWN = { DATABASE_URL, NEXTAUTH_SECRET };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-env-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Generated files are stored in this test's folder. */
const readEnv = (source: Record<string, string>) => readLoginEnv({ ...source, DATA_FOLDER: folder });

test("does not require variables for a site on localhost", () => {
  const env = readEnv({ APP_URL: "" });
  expect(env).toMatchObject({
    qrFormat: "svc",
    trustedProxies: 0,
    databaseUrl: undefined,
    dataFolder: folder,
  });
  expect(env.origin.origin).toBe("http://localhost:3000");
  expect(env.secrets).toEqual([readFileSync(join(folder, "nextauth-secret"), "utf8")]);
  expect(readEnv({}).secrets).toEqual(env.secrets);
});

test("uses the variables that are set", () => {
  const source = {
    PORT: "4000",
    DATABASE_URL,
    NEXTAUTH_SECRET,
    SVC_QR_FORMAT: "https",
    TRUSTED_PROXIES: "2",
  };
  expect(readEnv(source)).toMatchObject({
    qrFormat: "https",
    trustedProxies: 2,
    databaseUrl: DATABASE_URL,
    secrets: [NEXTAUTH_SECRET],
  });
  expect(readEnv({ PORT: "4000" }).origin.port).toBe("4000");
  expect(readEnv({ ...OWN, APP_URL: "https://shop.example/" }).origin.origin).toBe("https://shop.example");
});

test.each([
  [{ PORT: "0" }, /^PORT: expected a port/],
  [{ APP_URL: "shop.example" }, /^APP_URL: expected an origin/],
  [{ APP_URL: "http://shop.example" }, /^APP_URL: expected https.*ALLOW_INSECURE_HTTP=true/],
  [{ DATABASE_URL }, /^NEXTAUTH_SECRET: required with DATABASE_URL/],
  [{ DATABASE_URL: "mysql://db", NEXTAUTH_SECRET }, /^DATABASE_URL: expected postgresql/],
  [{ ...OWN, DATABASE_URL: `${DATABASE_URL}?target=any` }, /^DATABASE_URL: .*the parameter "target"/],
  [{ NEXTAUTH_SECRET: "short" }, /^NEXTAUTH_SECRET: expected 32 characters/],
  [{ TRUSTED_PROXIES: "-1" }, /^TRUSTED_PROXIES: expected a whole number/],
  [{ SVC_QR_FORMAT: "png" }, /^SVC_QR_FORMAT: expected svc or https/],
])("refuses an invalid value with the variable's name and the expected value: %j", (source, message) => {
  expect(() => readEnv(source)).toThrow(ConfigurationError);
  expect(() => readEnv(source)).toThrow(message);
});

test("ignores Prisma's own parameters in DATABASE_URL", () => {
  const url = `${DATABASE_URL}?schema=shop&connection_limit=1&pgbouncer=true`;
  expect(readEnv({ ...OWN, DATABASE_URL: url }).databaseUrl).toBe(url);
});

test("allows plain HTTP if the site is configured to allow it", () => {
  const source = { ...OWN, APP_URL: "http://shop.example", ALLOW_INSECURE_HTTP: "true" };
  expect(readEnv(source).origin.origin).toBe("http://shop.example");
});

describe("a public origin", () => {
  const read = (more: Record<string, string>) => () => readEnv({ APP_URL: "https://shop.example", ...more });

  test("requires DATABASE_URL and NEXTAUTH_SECRET", () => {
    expect(read({})).toThrow(ConfigurationError);
    expect(read({})).toThrow(
      /^DATABASE_URL: required to serve https:\/\/shop\.example; expected postgresql:.*\nNEXTAUTH_SECRET: required .* expected 32/,
    );
    expect(read({ NEXTAUTH_SECRET })).toThrow(/^DATABASE_URL: required.*$/);
    expect(read({ DATABASE_URL })).toThrow(/^NEXTAUTH_SECRET: required.*$/);
    // The failed call must not generate and store a secret, because the next deployment would not find it.
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["http://localhost:3001", "https://shop.localhost", "http://127.0.0.1", "http://127.1.2.3:81"])(
    "is not %s",
    (APP_URL) => {
      expect(readEnv({ APP_URL }).databaseUrl).toBeUndefined();
    },
  );
});

describe("the login's secret", () => {
  test("is generated once and readable only by its owner", () => {
    const secret = readOrCreateSecret(folder);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(readdirSync(folder)).toEqual(["nextauth-secret"]);
    expect(statSync(join(folder, "nextauth-secret")).mode & 0o777).toBe(0o600);
  });

  test.each(["", "\n", "short", "x".repeat(40)])("is not used if it has been damaged: %j", (text) => {
    writeFileSync(join(folder, "nextauth-secret"), text);
    expect(() => readOrCreateSecret(folder)).toThrow(ConfigurationError);
    expect(() => readOrCreateSecret(folder)).toThrow(/nextauth-secret: expected the secret/);
  });
});
