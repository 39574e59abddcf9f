import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { PRISMA_PARAMETERS } from "./database-url.ts";
import {
  createDatabaseUrlSchema,
  Flag,
  Origin,
  Port,
  parseVariables,
  QrFormat,
  RecoveryDelayHours,
  refuseMissingVariables,
  resolvePublicOrigin,
  Secret,
  WholeNumber,
} from "./env-values.ts";
import { type CommonOptions, ConfigurationError } from "./options.ts";

export const LoginVariables = z.object({
  PORT: Port.default(3000),
  APP_URL: Origin.optional(),
  ALLOW_INSECURE_HTTP: Flag.default(false),
  DATABASE_URL: createDatabaseUrlSchema(PRISMA_PARAMETERS).optional(),
  NEXTAUTH_SECRET: Secret.optional(),
  NEXTAUTH_SECRET_PREVIOUS: Secret.optional(),
  SVC_QR_FORMAT: QrFormat.default("svc"),
  TRUSTED_PROXIES: WholeNumber.default(0),
  RECOVERY_DELAY_HOURS: RecoveryDelayHours.default(0),
});

const SiteVariables = LoginVariables.extend({ DATA_FOLDER: z.string().default(".data") });

/**
 * Treats an empty variable as unset.
 * @throws {ConfigurationError} naming every invalid variable and the expected value
 */
export function parseLoginVariables<Schema extends z.ZodType<z.output<typeof LoginVariables>>>(
  schema: Schema,
  source: Record<string, string | undefined>,
): { variables: z.output<Schema>; origin: URL } {
  const variables = parseVariables(schema, source);
  const origin = resolvePublicOrigin(variables);
  refuseMissingVariables(variables, origin);
  return { variables, origin };
}

/** The first secret encrypts and signs. During a rotation, the previous secret can still decrypt and verify. */
export function combineSecrets(current: string, previous: string | undefined): LoginEnv["secrets"] {
  return previous === undefined ? [current] : [current, previous];
}

export type LoginEnv = Pick<CommonOptions, "origin" | "qrFormat" | "secrets" | "trustedProxies"> & {
  recoveryDelayHours: number;
  /** Undefined if the site must start the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** A site without configuration stores its secret and its embedded PostgreSQL here. */
  dataFolder: string;
};

/**
 * If neither DATABASE_URL nor NEXTAUTH_SECRET is set, generates a secret once and stores it in the data folder.
 * @throws {ConfigurationError} naming every invalid variable and the expected value
 */
export function readLoginEnv(source: Record<string, string | undefined>): LoginEnv {
  const { variables, origin } = parseLoginVariables(SiteVariables, source);
  const dataFolder = resolve(variables.DATA_FOLDER);
  const current = variables.NEXTAUTH_SECRET ?? readOrCreateSecret(dataFolder);
  return {
    origin,
    qrFormat: variables.SVC_QR_FORMAT,
    secrets: combineSecrets(current, variables.NEXTAUTH_SECRET_PREVIOUS),
    trustedProxies: variables.TRUSTED_PROXIES,
    recoveryDelayHours: variables.RECOVERY_DELAY_HOURS,
    databaseUrl: variables.DATABASE_URL,
    dataFolder,
  };
}

/** @throws {ConfigurationError} if the file no longer contains a secret */
export function readOrCreateSecret(dataFolder: string): string {
  const file = join(dataFolder, "nextauth-secret");
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(draft, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  try {
    // Creating a link is atomic, so two processes that start at the same time agree on one secret.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  const storedSecret = Secret.safeParse(readFileSync(file, "utf8").trim());
  if (storedSecret.success) return storedSecret.data;
  throw new ConfigurationError(
    `${file}: expected the secret that was kept there; restore it, or remove the file, which signs everybody out`,
  );
}

/** The `engines` fields of the package and the templates require the same version. */
const OLDEST = "22.18";

/**
 * With older versions, the site would start but fail on the first request.
 * @param version such as `22.18.0`
 * @throws {ConfigurationError} naming the required version
 */
export function assertNodeVersion(version: string): void {
  if (version.localeCompare(OLDEST, "en", { numeric: true }) >= 0) return;
  throw new ConfigurationError(
    `Node.js ${OLDEST} or newer is needed, and this is ${version} (${process.execPath}).`,
  );
}
