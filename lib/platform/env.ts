import { isIP } from "node:net";
import { z } from "zod";
import { isChallengeDomain } from "#lib/login/protocol/challenge.ts";

/**
 * Configuration, parsed once at start (contract 1). `scripts/serve.ts` parses the process's environment and
 * provides the result; everything else reads it through `env()`, never from `process.env`.
 */

const LOCAL_HOSTS = ["localhost", "127.0.0.1"];

const Flag = z.enum(["true", "false"], "expected true or false").transform((value) => value === "true");

const Origin = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, "");
  // Its hostname is the domain of every challenge: one that no challenge can name would let nobody in.
  if (isOrigin && isChallengeDomain(url.hostname)) return url;
  context.addIssue({ code: "custom", message: "expected an origin such as https://login.example.com" });
  return z.NEVER;
});

const WholeNumber = z
  .string()
  .regex(/^\d{1,5}$/, "expected a whole number")
  .transform(Number);

const CommaList = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

const Cidr = z.union([z.cidrv4(), z.cidrv6()], "expected ranges such as 10.0.0.0/8,fd00::/8");
const HostPort = z.string().refine((value) => {
  const [, bracketed, plain, port = "53"] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isAddress = bracketed ? isIP(bracketed) === 6 : isIP(plain ?? "") === 4;
  return isAddress && Number(port) >= 1 && Number(port) <= 65535;
}, "expected addresses such as 10.0.0.53:53");

const DatabaseUrl = z
  .string()
  .refine((value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""), "expected postgresql://…");

const Secret = z.string().min(32, "expected 32 characters or more, from a random source");

const Ratio = z.coerce
  .number("expected a number from 0 to 1")
  .min(0, "expected a number from 0 to 1")
  .max(1, "expected a number from 0 to 1");

const Variables = z.object({
  PORT: WholeNumber.refine((port) => port <= 65535, "expected a port, 0 to 65535").default(3000),
  APP_URL: Origin.optional(),
  DATABASE_URL: DatabaseUrl.optional(),
  DATABASE_DIRECT_URL: DatabaseUrl.optional(),
  MIGRATE_ON_START: Flag.default(true),
  NEXTAUTH_SECRET: Secret.optional(),
  NEXTAUTH_SECRET_PREVIOUS: Secret.optional(),
  SVC_QR_FORMAT: z.enum(["svc", "https"], "expected svc or https").default("svc"),
  WEBHOOK_ALLOW_CIDRS: CommaList.pipe(z.array(Cidr)).default([]),
  TRUSTED_PROXIES: WholeNumber.default(0),
  RATE_LIMIT_SCALE: z.coerce
    .number("expected a number above 0")
    .positive("expected a number above 0")
    .default(1),
  REQUIRE_VERIFIED_DOMAINS: Flag.optional(),
  DNS_SERVERS: CommaList.pipe(z.array(HostPort)).default([]),
  FAST_AUTO_REGISTER: Flag.default(true),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "expected fatal, error, warn, info, debug, trace or silent",
    )
    .default("info"),
  DEMO_WALLET: Flag.optional(),
  HOSTED_DEMO: Flag.optional(),
  METRICS_TOKEN: z.string().min(16, "expected 16 characters or more, from a random source").optional(),
  // OpenTelemetry's own names; what else the standard has (OTEL_EXPORTER_OTLP_HEADERS, …) its exporter reads itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "expected http://… or https://…" })
    .optional(),
  OTEL_SERVICE_NAME: z.string().default("svc-login"),
  OTEL_TRACES_SAMPLER_ARG: Ratio.default(1),
});

export type Env = ReturnType<typeof parseEnv>;

/** The configuration is wrong: a line for each variable, with its name and what is expected. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

/**
 * Parses the environment. An empty variable counts as unset.
 * @throws {ConfigurationError} naming every bad variable and what is expected of it
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = Variables.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigurationError([...new Set(lines)].join("\n"));
  }
  const variables = parsed.data;
  const appUrl = variables.APP_URL ?? new URL(`http://localhost:${variables.PORT}`);
  const embedded = variables.DATABASE_URL === undefined;
  if (!embedded && variables.NEXTAUTH_SECRET === undefined) {
    throw new ConfigurationError(
      "NEXTAUTH_SECRET: required when DATABASE_URL is set; expected 32 characters or more, for example from `openssl rand -base64 32`",
    );
  }
  if (embedded && variables.DATABASE_DIRECT_URL !== undefined) {
    throw new ConfigurationError("DATABASE_DIRECT_URL: expected only beside DATABASE_URL");
  }
  const demo = embedded && LOCAL_HOSTS.includes(appUrl.hostname);
  return {
    ...variables,
    /** Public origin. */
    APP_URL: appUrl,
    /** The domain of every challenge of flows A and C: APP_URL's hostname. */
    DOMAIN: appUrl.hostname,
    SECURE: appUrl.protocol === "https:",
    /** Embedded database and a localhost APP_URL (contract 1). */
    DEMO: demo,
    DEMO_WALLET: variables.DEMO_WALLET ?? demo,
    /** The demo integrator on the hosted API is set up at start. */
    HOSTED_DEMO: variables.HOSTED_DEMO ?? demo,
    REQUIRE_VERIFIED_DOMAINS: variables.REQUIRE_VERIFIED_DOMAINS ?? !demo,
  };
}

/** What the running application needs on top of the parsed variables: both are known by then. */
export type RuntimeEnv = Env & { DATABASE_URL: string; DATABASE_DIRECT_URL: string; NEXTAUTH_SECRET: string };

// The server's entry point and the framework's bundles are separate module graphs in one process.
const holder = globalThis as typeof globalThis & { [key: symbol]: RuntimeEnv | undefined };
const KEY = Symbol.for("svc-login.env");

/** Provides the configuration to the whole process; called once, by the entry point. */
export function provideEnv(value: RuntimeEnv): void {
  holder[KEY] = Object.freeze(value);
}

/**
 * The secrets that something may be sealed or signed under: NEXTAUTH_SECRET, which seals and signs, and while it is
 * rotated the one before, which only opens.
 */
export function masterSecrets(): readonly [current: string, ...others: string[]] {
  const { NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS } = env();
  return NEXTAUTH_SECRET_PREVIOUS === undefined
    ? [NEXTAUTH_SECRET]
    : [NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS];
}

/** The configuration. Only for code that runs to answer requests or jobs, never at module load. */
export function env(): RuntimeEnv {
  const value = holder[KEY];
  if (!value) throw new Error("The configuration was not provided: start the application with `npm start`");
  return value;
}
