import { z } from "zod";
import { isChallengeDomain } from "../protocol/challenge.ts";
import { findDatabaseUrlFault } from "./database-url.ts";
import { correctValueMistakes, describeInvalidValue } from "./describe-invalid-value.ts";
import { ConfigurationError } from "./options.ts";

export const Flag = z
  .enum(["true", "false"], "expected true or false")
  .transform((value) => value === "true");

export const Origin = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, "");
  // The origin's hostname is the domain of every challenge, so challenges must be able to contain it.
  if (isOrigin && isChallengeDomain(url.hostname) && url.port !== "0") return url;
  context.addIssue({
    code: "custom",
    message: "expected an origin such as https://login.example.com",
    params: { hint: originHint(value) },
  });
  return z.NEVER;
});

function originHint(value: string): string | undefined {
  const url = URL.parse(correctValueMistakes(value));
  if (!url || !/^https?:$/.test(url.protocol) || !isChallengeDomain(url.hostname) || url.port === "0") {
    return undefined;
  }
  return `write ${url.origin}`;
}

export const WholeNumber = z
  .string()
  .regex(/^\d{1,5}$/, "expected a whole number")
  .transform(Number);

/** One week, because the browser sessions that can cancel a recovery last no longer. */
const RECOVERY_DELAY_MAX_HOURS = 7 * 24;

export const RecoveryDelayHours = WholeNumber.refine(
  (hours) => hours <= RECOVERY_DELAY_MAX_HOURS,
  `expected whole hours, 0 to ${RECOVERY_DELAY_MAX_HOURS}`,
);

// With port 0, the system would choose a port, and APP_URL could not contain it.
export const Port = WholeNumber.refine((port) => port >= 1 && port <= 65535, "expected a port, 1 to 65535");

/** `knownParameters` are parameters that other software reads. */
export const createDatabaseUrlSchema = (knownParameters?: readonly string[]) =>
  z.string().superRefine((value, context) => {
    const hint = findDatabaseUrlFault(value, knownParameters);
    if (hint === undefined) return;
    context.addIssue({
      code: "custom",
      message: "expected postgresql://user:password@host:port/database",
      params: { hint },
    });
  });

/** Short secrets and those that repeat a single character are rejected. */
export const Secret = z
  .string()
  .refine(
    (value) => value.length >= 32 && new Set(value).size >= 10,
    "expected 32 characters or more, 10 of them different, for example from `openssl rand -base64 32`",
  );

export const QrFormat = z.enum(["svc", "https"], "expected svc or https");

/**
 * Treats an empty variable as unset.
 * @throws {ConfigurationError} naming every invalid variable and the expected value
 */
export function parseVariables<Schema extends z.ZodType>(
  schema: Schema,
  source: Record<string, string | undefined>,
): z.infer<Schema> {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(set);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const hint = issue.code === "custom" ? issue.params?.hint : undefined;
    return `${name}: ${issue.message}${describeInvalidValue(name, set[name] ?? "", hint)}`;
  });
  throw new ConfigurationError([...new Set(lines)].join("\n"));
}

const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3})$/;

/**
 * The default is `http://localhost:$PORT`.
 * @throws {ConfigurationError} if the origin uses plain HTTP on a network, where others could read the requests
 */
export function resolvePublicOrigin(variables: {
  APP_URL?: URL;
  PORT: number;
  ALLOW_INSECURE_HTTP: boolean;
}): URL {
  const origin = variables.APP_URL ?? new URL(`http://localhost:${variables.PORT}`);
  if (origin.protocol === "https:" || LOOPBACK_HOST.test(origin.hostname) || variables.ALLOW_INSECURE_HTTP) {
    return origin;
  }
  throw new ConfigurationError(
    `APP_URL: expected https://…, because over plain http anybody on the network path can take over a login; set ALLOW_INSECURE_HTTP=true to serve ${origin.origin} all the same`,
  );
}

/**
 * Refuses to rely on files under `.data/`, which exist only on this machine. A site on a public host needs a database
 * that survives a redeployment. A site whose database might be shared with other processes needs a secret from its
 * operator.
 * @throws {ConfigurationError} naming each missing variable
 */
export function refuseMissingVariables(
  variables: { DATABASE_URL?: string; NEXTAUTH_SECRET?: string },
  origin: URL,
): void {
  const isPublic = !LOOPBACK_HOST.test(origin.hostname);
  const missing: string[] = [];
  if (isPublic && variables.DATABASE_URL === undefined) {
    missing.push(
      `DATABASE_URL: required to serve ${origin.origin}; expected postgresql://…, because the embedded database under .data/ is for localhost, and all accounts are lost with that folder`,
    );
  }
  if ((isPublic || variables.DATABASE_URL !== undefined) && variables.NEXTAUTH_SECRET === undefined) {
    missing.push(
      `NEXTAUTH_SECRET: required with DATABASE_URL, and to serve ${origin.origin}; expected 32 characters or more, for example from \`openssl rand -base64 32\``,
    );
  }
  if (missing.length > 0) throw new ConfigurationError(missing.join("\n"));
}
