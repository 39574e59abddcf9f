import { z } from "zod";
import { processState } from "#packages/login/process/state.ts";
import { databaseUrl, Flag } from "#packages/login/site/env-values.ts";
import { ConfigurationError } from "#packages/login/site/options.ts";
import { LoginVariables, readVariables, secretsOf } from "#packages/login/site/read-login-env.ts";
import { BearerToken, Cidrs, Host, HostPorts, LOOPBACK_ADDRESSES, Ratio, Scale } from "./env-values.ts";

/**
 * Configuration, parsed once per process. The code that starts the server parses the environment, adds the database
 * that it opened, and provides the result. All other code reads it through `env()`, never from `process.env`.
 */

const LOCAL_HOSTS = ["localhost", "127.0.0.1"];
/** The addresses that `localhost` resolves to. */
const AT_LOCALHOST = ["127.0.0.1", "[::1]", "0.0.0.0", "[::]"];

const Variables = LoginVariables.extend({
  HOST: Host.optional(),
  DATABASE_URL: databaseUrl().optional(),
  DATABASE_DIRECT_URL: databaseUrl().optional(),
  MIGRATE_ON_START: Flag.default(true),
  WEBHOOK_ALLOW_CIDRS: Cidrs.default([]),
  RATE_LIMIT_SCALE: Scale.default(1),
  REQUIRE_VERIFIED_DOMAINS: Flag.optional(),
  DNS_SERVERS: HostPorts.default([]),
  FAST_AUTO_REGISTER: Flag.default(true),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "expected fatal, error, warn, info, debug, trace or silent",
    )
    .default("info"),
  SOURCE_URL: z.url({ protocol: /^https?$/, error: "expected http://… or https://…" }).optional(),
  DEMO_WALLET: Flag.optional(),
  HOSTED_DEMO: Flag.optional(),
  METRICS_TOKEN: BearerToken.optional(),
  // OpenTelemetry's own names. The exporter itself reads the standard's other variables, such as
  // OTEL_EXPORTER_OTLP_HEADERS.
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "expected http://… or https://…" })
    .optional(),
  OTEL_SERVICE_NAME: z.string().default("svc-login"),
  OTEL_TRACES_SAMPLER_ARG: Ratio.default(1),
});

export type Env = ReturnType<typeof parseEnv>;

/**
 * Parses the environment. An empty variable counts as unset.
 * @throws {ConfigurationError} that names every invalid variable and the expected value
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const { variables, origin: appUrl } = readVariables(Variables, source);
  const embedded = variables.DATABASE_URL === undefined;
  if (embedded && variables.DATABASE_DIRECT_URL !== undefined) {
    throw new ConfigurationError("DATABASE_DIRECT_URL: expected only together with DATABASE_URL");
  }
  const demo = embedded && LOCAL_HOSTS.includes(appUrl.hostname);
  const host = variables.HOST ?? (demo ? LOOPBACK_ADDRESSES : []);
  return {
    ...variables,
    /** Public origin. */
    APP_URL: appUrl,
    /** The addresses to listen on; empty means every interface. */
    HOST: host,
    /** The origin that is printed at start, at which this process can be reached. */
    PRINTED_URL: variables.APP_URL ? appUrl.origin : reachableOrigin(host, appUrl),
    /** The domain in every challenge of the site login and the fast login: APP_URL's hostname. */
    DOMAIN: appUrl.hostname,
    SECURE: appUrl.protocol === "https:",
    /** Embedded database and a localhost APP_URL. */
    DEMO: demo,
    DEMO_WALLET: variables.DEMO_WALLET ?? demo,
    /** The demo customer on the hosted API is set up at start. */
    HOSTED_DEMO: variables.HOSTED_DEMO ?? demo,
    REQUIRE_VERIFIED_DOMAINS: variables.REQUIRE_VERIFIED_DOMAINS ?? !demo,
  };
}

/**
 * Returns the origin at `localhost` or, if this process does not listen there, at the first address that it listens on.
 */
function reachableOrigin(host: readonly string[], localhost: URL): string {
  const [address] = host;
  if (address === undefined) return localhost.origin;
  const { hostname, origin } = new URL(
    `http://${address.includes(":") ? `[${address}]` : address}:${localhost.port}`,
  );
  return AT_LOCALHOST.includes(hostname) ? localhost.origin : origin;
}

/**
 * The running application's settings: the parsed variables, of which these three are always set once the server runs.
 */
export type RuntimeEnv = Env & { DATABASE_URL: string; DATABASE_DIRECT_URL: string; NEXTAUTH_SECRET: string };

const state = () => processState() as { env?: RuntimeEnv };

/** Provides the configuration to the whole process. The code that starts the server calls this once. */
export function provideEnv(value: RuntimeEnv): void {
  state().env = Object.freeze(value);
}

/** Returns whether the process has its configuration. */
export function hasEnv(): boolean {
  return state().env !== undefined;
}

/** Returns the master secrets, the current one first. */
export function masterSecrets(): readonly [current: string, ...previous: string[]] {
  const { NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS } = env();
  return secretsOf(NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS);
}

/**
 * Returns the configuration, parsed at first use if it was not provided. Call it only while a request or a job runs,
 * never at module load.
 * @throws {ConfigurationError} for an invalid value, and if there is neither DATABASE_URL nor an embedded database
 */
export function env(): RuntimeEnv {
  const shared = state();
  shared.env ??= Object.freeze(parseRuntimeEnv(process.env));
  return shared.env;
}

function parseRuntimeEnv(source: Record<string, string | undefined>): RuntimeEnv {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, NEXTAUTH_SECRET, ...rest } = parseEnv(source);
  if (DATABASE_URL === undefined || DATABASE_DIRECT_URL === undefined || NEXTAUTH_SECRET === undefined) {
    throw new ConfigurationError(
      "DATABASE_URL: required here; without it start the application with `npm start`, `next start` or `next dev`",
    );
  }
  return { ...rest, DATABASE_URL, DATABASE_DIRECT_URL, NEXTAUTH_SECRET };
}
