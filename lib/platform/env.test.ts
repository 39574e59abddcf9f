import { describe, expect, test } from "vitest";
import { ConfigurationError, parseEnv } from "./env.ts";

const SECRET = "x".repeat(32);

describe("nothing set", () => {
  test("is a demo on http://localhost:3000 with the defaults of contract 1", () => {
    const env = parseEnv({});
    expect(env.APP_URL.origin).toBe("http://localhost:3000");
    expect(env).toMatchObject({
      PORT: 3000,
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

  test("is the same as everything empty", () => {
    expect(parseEnv({ PORT: "", APP_URL: "", DATABASE_URL: "", LOG_LEVEL: "" })).toEqual(parseEnv({}));
  });

  test("but a port moves the origin along", () => {
    expect(parseEnv({ PORT: "8080" }).APP_URL.origin).toBe("http://localhost:8080");
  });
});

describe("production", () => {
  test.each([
    ["an origin of its own", { APP_URL: "https://login.example.com" }],
    ["a database of its own", { DATABASE_URL: "postgresql://u:p@h/d", NEXTAUTH_SECRET: SECRET }],
  ])("%s: no demo, no demo wallet, verified domains", (_name, source) => {
    expect(parseEnv(source)).toMatchObject({
      DEMO: false,
      DEMO_WALLET: false,
      REQUIRE_VERIFIED_DOMAINS: true,
    });
  });

  test("https makes it secure, and the hostname is the domain of every challenge", () => {
    expect(parseEnv({ APP_URL: "https://login.example.com:8443" })).toMatchObject({
      SECURE: true,
      DOMAIN: "login.example.com",
    });
  });

  test("a way around a pooler to the embedded database is refused", () => {
    const parse = () => parseEnv({ DATABASE_DIRECT_URL: "postgresql://u:p@h/d" });
    expect(parse).toThrow(/^DATABASE_DIRECT_URL: expected only beside DATABASE_URL/);
  });

  test("a database without a secret is refused", () => {
    expect(() => parseEnv({ DATABASE_URL: "postgresql://u:p@h/d" })).toThrow(/^NEXTAUTH_SECRET: required/);
  });

  test("what demo mode decides can be decided otherwise", () => {
    expect(parseEnv({ DEMO_WALLET: "false", REQUIRE_VERIFIED_DOMAINS: "true" })).toMatchObject({
      DEMO_WALLET: false,
      REQUIRE_VERIFIED_DOMAINS: true,
    });
  });
});

describe.each<[string, string[], string[]]>([
  ["PORT", ["0", "1", "65535"], ["-1", "65536", "1.5", "0x10", "http", " 80", "1e3"]],
  [
    "APP_URL",
    [
      "http://localhost:3000",
      "https://a.example",
      "https://a.example/",
      "http://127.0.0.1:1",
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
      "javascript:1",
      "http://[::1]:3000",
      "https://a_b.example",
      "https://a.example.",
    ],
  ],
  ["DATABASE_URL", ["postgres://h/d", "postgresql://u:p@h:1/d?x=y"], ["mysql://h/d", "file:./dev.db", "h/d"]],
  ["NEXTAUTH_SECRET", [SECRET], ["short", "x".repeat(31)]],
  ["SVC_QR_FORMAT", ["svc", "https"], ["SVC", "http", "svc,https"]],
  [
    "WEBHOOK_ALLOW_CIDRS",
    ["10.0.0.0/8", "10.0.0.0/8, fd00::/8", ","],
    ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/8;fd00::/8", "any"],
  ],
  ["TRUSTED_PROXIES", ["0", "2"], ["-1", "1.5", "true", "all"]],
  ["RATE_LIMIT_SCALE", ["1", "0.5", "100"], ["0", "-1", "NaN", "Infinity", "many", "1x"]],
  ["REQUIRE_VERIFIED_DOMAINS", ["true", "false"], ["1", "yes", "TRUE"]],
  [
    "DNS_SERVERS",
    ["10.0.0.53:53", "1.1.1.1", "[::1]:5353, 1.1.1.1"],
    ["dns.example:53", "1.1.1.1:", "999.1.1.1:53", "1.1.1.1:99999", "1.1.1.1:0", "[zz]:53", "[:]:1"],
  ],
  ["LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "trace", "silent"], ["verbose", "INFO", "30"]],
  ["DEMO_WALLET", ["true", "false"], ["on", "0"]],
  ["MIGRATE_ON_START", ["true", "false"], ["no", "0"]],
  ["NEXTAUTH_SECRET_PREVIOUS", [SECRET], ["short", "x".repeat(31)]],
  ["METRICS_TOKEN", ["x".repeat(16)], ["short", "x".repeat(15)]],
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    ["http://127.0.0.1:4318", "https://o.example/x"],
    ["collector:4318", "grpc://o"],
  ],
  ["OTEL_TRACES_SAMPLER_ARG", ["0", "0.01", "1"], ["-1", "1.1", "all"]],
])("%s", (name, good, bad) => {
  const base = { NEXTAUTH_SECRET: SECRET };

  test.each(good)("takes %j", (value) => {
    expect(() => parseEnv({ ...base, [name]: value })).not.toThrow();
  });

  test.each(bad)("refuses %j, by name and with what is expected", (value) => {
    const parse = () => parseEnv({ ...base, [name]: value });
    expect(parse).toThrow(ConfigurationError);
    expect(parse).toThrow(new RegExp(`^${name}: .*(expected|required)`));
  });
});

test("all that is wrong is told at once, and no value with it", () => {
  const parse = () => parseEnv({ PORT: "x", LOG_LEVEL: "loud", NEXTAUTH_SECRET: "hunter2" });
  expect(parse).toThrow(/^PORT: .*\nNEXTAUTH_SECRET: .*\nLOG_LEVEL: .*$/);
  expect(parse).not.toThrow(/hunter2/);
});
