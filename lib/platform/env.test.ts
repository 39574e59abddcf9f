import { describe, expect, test } from "vitest";
import { ConfigurationError } from "#packages/login/site/options.ts";
import { parseEnv } from "./env.ts";

const SECRET = "0123456789".repeat(4).slice(0, 32);
const OWN = { DATABASE_URL: "postgresql://u:p@h/d", NEXTAUTH_SECRET: SECRET };

/** Too short, easily guessed, or of only nine different characters. */
const BAD_SECRETS = ["short", SECRET.slice(1), "x".repeat(40), "012345678".repeat(5)];

describe("an empty environment", () => {
  test("starts a demo on http://localhost:3000 with the documented defaults", () => {
    const env = parseEnv({});
    expect(env.APP_URL.origin).toBe("http://localhost:3000");
    expect(env).toMatchObject({
      PORT: 3000,
      HOST: ["127.0.0.1", "::1"],
      PRINTED_URL: "http://localhost:3000",
      ALLOW_INSECURE_HTTP: false,
      DOMAIN: "localhost",
      SECURE: false,
      SVC_QR_FORMAT: "svc",
      WEBHOOK_ALLOW_CIDRS: [],
      TRUSTED_PROXIES: 0,
      RATE_LIMIT_SCALE: 1,
      DNS_SERVERS: [],
      LOG_LEVEL: "info",
      DEMO: true,
      DEMO_WALLET: true,
      REQUIRE_VERIFIED_DOMAINS: false,
    });
    expect(env.DATABASE_URL).toBeUndefined();
  });

  test("is treated like one in which every variable is empty", () => {
    expect(parseEnv({ PORT: "", APP_URL: "", DATABASE_URL: "", LOG_LEVEL: "" })).toEqual(parseEnv({}));
  });

  test("uses the configured port in the origin", () => {
    expect(parseEnv({ PORT: "8080" }).APP_URL.origin).toBe("http://localhost:8080");
  });
});

describe("the environment in production mode", () => {
  test.each([
    ["its own origin", { ...OWN, APP_URL: "https://login.example.com" }],
    ["its own database", OWN],
  ])("turns off the demo and the demo wallet and requires verified domains: %s", (_name, source) => {
    expect(parseEnv(source)).toMatchObject({
      DEMO: false,
      DEMO_WALLET: false,
      REQUIRE_VERIFIED_DOMAINS: true,
    });
  });

  test("uses the hostname as the domain of every challenge", () => {
    expect(parseEnv({ ...OWN, APP_URL: "https://login.example.com:8443" })).toMatchObject({
      SECURE: true,
      DOMAIN: "login.example.com",
    });
  });

  test("refuses DATABASE_DIRECT_URL for the embedded database", () => {
    const parse = () => parseEnv({ DATABASE_DIRECT_URL: "postgresql://u:p@h/d" });
    expect(parse).toThrow(/^DATABASE_DIRECT_URL: expected only together with DATABASE_URL/);
  });

  // read-login-env.test.ts tests each variable, and that none is required on this machine.
  test.each([
    "https://shop.example",
    "https://192.168.1.5",
    "https://localhost.example",
    "https://evillocalhost",
  ])("refuses a public origin without a database and a secret: %s", (APP_URL) => {
    expect(() => parseEnv({ APP_URL })).toThrow(
      new RegExp(`^DATABASE_URL: required to serve ${APP_URL}; expected .*\\nNEXTAUTH_SECRET: required .*$`),
    );
    expect(() => parseEnv({ ...OWN, APP_URL })).not.toThrow();
  });

  test("lets variables override the demo mode's settings", () => {
    expect(parseEnv({ DEMO_WALLET: "false", REQUIRE_VERIFIED_DOMAINS: "true" })).toMatchObject({
      DEMO_WALLET: false,
      REQUIRE_VERIFIED_DOMAINS: true,
    });
  });
});

describe.each<[string, string[], string[]]>([
  ["PORT", ["1", "65535"], ["0", "-1", "65536", "1.5", "0x10", "http", " 80", "1e3"]],
  [
    "APP_URL",
    [
      "http://localhost:3000",
      "https://a.example",
      "http://127.0.0.1:1",
      "http://shop.localhost:3000",
      "https://xn--e1afmkfd.example",
    ],
    [
      "a.example",
      "//a.example",
      "ftp://a.example",
      "https://a.example/path",
      "https://a.example?x",
      "https://u:p@a.example",
      "https://",
      "http://[::1]:3000",
      "https://a_b.example",
      "https://a.example.",
      "https://a.example:0",
      "http://a.example",
      "http://localhost.example",
      "http://127.0.0.1.example",
      "http://evillocalhost",
    ],
  ],
  [
    "HOST",
    ["127.0.0.1", "::1", "0.0.0.0", "::", "localhost", "192.0.2.1", "2001:db8::1"],
    ["example.com", "999.0.0.1", "127.0.0.1:3000", "[::1]", "10.0.0.0/8", " ::1"],
  ],
  ["ALLOW_INSECURE_HTTP", ["true", "false"], ["1", "yes"]],
  [
    "DATABASE_URL",
    ["postgres://h/d", "postgresql://u:p@h:1/d?sslmode=require&host=/run/postgresql", "postgresql:///d"],
    ["mysql://h/d", "file:./dev.db", "h/d", "postgresql://u:p@h/d?x=y", "postgresql://u:p@h/d?schema=svc"],
  ],
  ["NEXTAUTH_SECRET", [SECRET], BAD_SECRETS],
  ["SVC_QR_FORMAT", ["svc", "https"], ["SVC", "http", "svc,https"]],
  [
    "WEBHOOK_ALLOW_CIDRS",
    ["10.0.0.0/8", "10.0.0.0/8, fd00::/8", ","],
    ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/8;fd00::/8", "any"],
  ],
  ["TRUSTED_PROXIES", ["0", "2"], ["-1", "1.5", "true", "all"]],
  ["RECOVERY_DELAY_HOURS", ["0", "1", "168"], ["169", "-1", "1.5", "a day", "24h"]],
  [
    "RATE_LIMIT_SCALE",
    ["1", "0.5", ".5", "0.0001", "100", "1000000", "1789569"],
    ["0", "-1", "NaN", " 1", "0x10", "1e3", "1789570", "9".repeat(400)],
  ],
  ["REQUIRE_VERIFIED_DOMAINS", ["true", "false"], ["1", "yes", "TRUE"]],
  [
    "DNS_SERVERS",
    ["10.0.0.53:53", "1.1.1.1", "[::1]:5353, 1.1.1.1"],
    ["dns.example:53", "1.1.1.1:", "999.1.1.1:53", "1.1.1.1:99999", "1.1.1.1:0", "[zz]:53", "[:]:1"],
  ],
  ["LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "trace", "silent"], ["verbose", "INFO", "30"]],
  ["DEMO_WALLET", ["true", "false"], ["on", "0"]],
  ["MIGRATE_ON_START", ["true", "false"], ["no", "0"]],
  ["NEXTAUTH_SECRET_PREVIOUS", [SECRET], BAD_SECRETS],
  [
    "METRICS_TOKEN",
    [SECRET, `${SECRET} and more`],
    [...BAD_SECRETS, `${SECRET} `, ` ${SECRET}`, `${SECRET}é`, `${SECRET}\n1`],
  ],
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    ["http://127.0.0.1:4318", "https://o.example/x"],
    ["collector:4318", "grpc://o"],
  ],
  ["OTEL_TRACES_SAMPLER_ARG", ["0", "0.01", "1"], ["-1", "1.1", "all", " ", "0x1"]],
])("%s", (name, good, bad) => {
  test.each(good)("accepts a valid value: %j", (value) => {
    expect(() => parseEnv({ ...OWN, [name]: value })).not.toThrow();
  });

  test.each(bad)(
    "causes an error that states its name and the expected value if it is invalid: %j",
    (value) => {
      const parse = () => parseEnv({ ...OWN, [name]: value });
      expect(parse).toThrow(ConfigurationError);
      expect(parse).toThrow(new RegExp(`^${name}: .*(expected|required)`));
    },
  );
});

describe("APP_URL over plain HTTP", () => {
  const parse = (more: Record<string, string> = {}) =>
    parseEnv({ ...OWN, APP_URL: "http://login.example.com", ...more });

  test("is refused, and the error says why and how to allow it", () => {
    expect(parse).toThrow(/^APP_URL: expected https:.*take over a login.*ALLOW_INSECURE_HTTP=true/);
    expect(() => parse({ ALLOW_INSECURE_HTTP: "false" })).toThrow(/^APP_URL: /);
  });

  test("is accepted if the operator allows it", () => {
    expect(parse({ ALLOW_INSECURE_HTTP: "true" })).toMatchObject({
      SECURE: false,
      DOMAIN: "login.example.com",
    });
  });
});

describe("HOST", () => {
  test("defaults to every interface outside demo mode, and can be set in both modes", () => {
    expect(parseEnv(OWN).HOST).toEqual([]);
    expect(parseEnv({ ...OWN, APP_URL: "https://login.example.com" }).HOST).toEqual([]);
    expect(parseEnv({ ...OWN, HOST: "localhost" }).HOST).toEqual(["127.0.0.1", "::1"]);
    expect(parseEnv({ HOST: "0.0.0.0" }).HOST).toEqual(["0.0.0.0"]);
  });

  test.each([
    [{}, "http://localhost:3000"],
    [{ HOST: "::" }, "http://localhost:3000"],
    [{ HOST: "127.0.0.1", PORT: "80" }, "http://localhost"],
    [{ HOST: "0:0:0:0:0:0:0:1" }, "http://localhost:3000"],
    [{ HOST: "192.0.2.1", PORT: "8080" }, "http://192.0.2.1:8080"],
    [{ HOST: "127.0.0.2", PORT: "80" }, "http://127.0.0.2"],
    [{ HOST: "2001:db8::1" }, "http://[2001:db8::1]:3000"],
    [{ ...OWN, HOST: "192.0.2.1", APP_URL: "https://login.example.com" }, "https://login.example.com"],
  ])("is printed as a URL that a browser can open: %j as %s", (source, printed) => {
    expect(parseEnv(source).PRINTED_URL).toBe(printed);
  });
});

describe("a value that is refused", () => {
  test.each([
    ["HOST", "x86_64-conda-linux-gnu", 'found "x86_64-conda-linux-gnu"'],
    ["HOST", "x86_64-conda-linux-gnu", "some shells set HOST automatically, so unset it"],
    ["PORT", " 80", 'found " 80", a space or line break at its beginning or end: remove it'],
    ["LOG_LEVEL", "'info'", "found \"'info'\", quotes around it: remove them"],
    ["LOG_LEVEL", "loud\u001b[2J", 'found "loud\\u001b[2J"'],
    [
      "APP_URL",
      "https://Login.Example.com",
      'found "https://Login.Example.com", write https://login.example.com',
    ],
    ["APP_URL", "https://login.example.com:443", "write https://login.example.com"],
    ["APP_URL", "https://login.example.com ", "write https://login.example.com"],
    ["APP_URL", '"https://login.example.com"', "write https://login.example.com"],
    ["APP_URL", "https://login.example.com/app", "write https://login.example.com"],
    [
      "DATABASE_URL",
      "postgresql://u:pa#w@h/d",
      'found a "#", which ends a URL: in a password, write it as %23',
    ],
    ["DATABASE_URL", "postgresql://u:12#w@h/d", "write it as %23"],
    ["DATABASE_URL", "postgresql://u:pa?w@h/d", "? as %3F"],
    ["DATABASE_URL", '"postgresql://u:p@h/d"', "quotes around it: remove them"],
    ["DATABASE_URL", "postgresql://u:p@h/d ", "a space or line break at its beginning or end"],
    [
      "DATABASE_URL",
      "postgresql://u:p@h/d?schema=svc",
      'the parameter "schema": the tables are always in the schema public',
    ],
    [
      "DATABASE_DIRECT_URL",
      "postgresql://u:p@h/d?options=-c%20timezone%3DAsia/Tokyo",
      'the parameter "options"',
    ],
    [
      "DATABASE_URL",
      "postgresql://u:p@h/d?pgbouncer=true",
      'the parameter "pgbouncer": nothing reads it; remove it',
    ],
  ])("is reported with the mistake and its fix: %s=%s, %s", (name, value, words) => {
    expect(() => parseEnv({ ...OWN, [name]: value })).toThrow(words);
  });

  test.each([
    ["NEXTAUTH_SECRET", "hunter2"],
    ["METRICS_TOKEN", "hunter2"],
    ["DATABASE_URL", "postgresql://u:hunter2#@h/d"],
    ["DATABASE_URL", "postgresql://u:hunter2@h:port/d"],
    ["DATABASE_URL", "postgres//u:hunter2@h/d"],
    ["APP_URL", "https://u:hunter2@a.example"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://u:hunter2@o.example"],
  ])("is reported without its password or secret: %s=%s", (name, value) => {
    const parse = () => parseEnv({ ...OWN, [name]: value });
    expect(parse).toThrow(new RegExp(`^${name}: expected`));
    expect(parse).not.toThrow(/hunter2/);
  });
});

test("reports all invalid variables together", () => {
  const parse = () => parseEnv({ PORT: "x", LOG_LEVEL: "loud", NEXTAUTH_SECRET: "hunter2" });
  expect(parse).toThrow(/^PORT: .*\nNEXTAUTH_SECRET: .*\nLOG_LEVEL: .*$/);
});
