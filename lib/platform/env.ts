import { z } from "zod";
import { getProcessState } from "#packages/login/process/state.ts";
import { createDatabaseUrlSchema, Flag } from "#packages/login/site/env-values.ts";
import { ConfigurationError } from "#packages/login/site/options.ts";
import { combineSecrets, LoginVariables, parseLoginVariables } from "#packages/login/site/read-login-env.ts";
import {
  BearerToken,
  CidrList,
  HostPortList,
  ListenAddresses,
  LOOPBACK_ADDRESSES,
  RateLimitScale,
  Ratio,
} from "./env-values.ts";

/**
 * Parses the configuration once per process. The code that starts the server parses the environment, adds the database
 * that it has opened, and provides the result. All other code must read the configuration from `env()` and not from
 * `process.env`.
 */

const LOCAL_HOSTS = ["localhost", "127.0.0.1"];
/** A server that listens on one of these addresses can be reached at `localhost`. */
const AT_LOCALHOST = ["127.0.0.1", "[::1]", "0.0.0.0", "[::]"];

const Variables = LoginVariables.extend({
  HOST: ListenAddresses.optional(),
  DATABASE_URL: createDatabaseUrlSchema().optional(),
  DATABASE_DIRECT_URL: createDatabaseUrlSchema().optional(),
  MIGRATE_ON_START: Flag.default(true),
  WEBHOOK_ALLOW_CIDRS: CidrList.default([]),
  RATE_LIMIT_SCALE: RateLimitScale.default(1),
  REQUIRE_VERIFIED_DOMAINS: Flag.optional(),
  DNS_SERVERS: HostPortList.default([]),
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
  // These names are OpenTelemetry's own. The exporter also reads the standard's other variables, such as
  // OTEL_EXPORTER_OTLP_HEADERS.
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "expected http://… or https://…" })
    .optional(),
  OTEL_SERVICE_NAME: z.string().default("svc-login"),
  OTEL_TRACES_SAMPLER_ARG: Ratio.default(1),
});

export type Env = ReturnType<typeof parseEnv>;

/**
 * Empty variables count as unset.
 * @throws {ConfigurationError} for invalid variables, with the name and expected value of each
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const { variables, origin: appUrl } = parseLoginVariables(Variables, source);
  const embedded = variables.DATABASE_URL === undefined;
  if (embedded && variables.DATABASE_DIRECT_URL !== undefined) {
    throw new ConfigurationError("DATABASE_DIRECT_URL: expected only together with DATABASE_URL");
  }
  const demo = embedded && LOCAL_HOSTS.includes(appUrl.hostname);
  const host = variables.HOST ?? (demo ? LOOPBACK_ADDRESSES : []);
  return {
    ...variables,
    /** The public origin. */
    APP_URL: appUrl,
    /** Empty for all interfaces. */
    HOST: host,
    /** Printed at startup. This process can be reached there. */
    PRINTED_URL: variables.APP_URL ? appUrl.origin : reachableOrigin(host, appUrl),
    /** The domain in the challenges of site logins and fast logins: APP_URL's hostname. */
    DOMAIN: appUrl.hostname,
    SECURE: appUrl.protocol === "https:",
    /** True with the embedded database and an APP_URL on localhost. */
    DEMO: demo,
    DEMO_WALLET: variables.DEMO_WALLET ?? demo,
    /** True if the demo customer is set up on the hosted API at startup. */
    HOSTED_DEMO: variables.HOSTED_DEMO ?? demo,
    REQUIRE_VERIFIED_DOMAINS: variables.REQUIRE_VERIFIED_DOMAINS ?? !demo,
  };
}

/** `localhost` if this process listens there, otherwise its first IP address. */
function reachableOrigin(host: readonly string[], localhost: URL): string {
  const [address] = host;
  if (address === undefined) return localhost.origin;
  const { hostname, origin } = new URL(
    `http://${address.includes(":") ? `[${address}]` : address}:${localhost.port}`,
  );
  return AT_LOCALHOST.includes(hostname) ? localhost.origin : origin;
}

/** These three variables are always set once the server is running. */
export type RuntimeEnv = Env & { DATABASE_URL: string; DATABASE_DIRECT_URL: string; NEXTAUTH_SECRET: string };

const state = () => getProcessState() as { env?: RuntimeEnv };

/** The code that starts the server calls this function once. */
export function setEnv(value: RuntimeEnv): void {
  state().env = Object.freeze(value);
}

export function hasEnv(): boolean {
  return state().env !== undefined;
}

/** The current one first. */
export function masterSecrets(): readonly [current: string, ...previous: string[]] {
  const { NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS } = env();
  return combineSecrets(NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS);
}

/**
 * Parses the configuration on first use if it was not provided. Call this function only during a request or job, and
 * never while a module is loading.
 * @throws {ConfigurationError} if a value is invalid, or if there is neither DATABASE_URL nor an embedded database
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
