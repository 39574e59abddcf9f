/**
 * What the operator reads when the PostgreSQL of DATABASE_URL cannot be used.
 */

/** The message is one sentence for the operator; it never holds the password. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

const UNREACHABLE = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNRESET",
];

/**
 * Where a URL leads, without its password.
 *
 * @throws {DatabaseUnavailable} when it is not a PostgreSQL URL
 */
export function parseDatabaseUrl(url: string): { host: string; user: string; database: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !["postgres:", "postgresql:"].includes(parsed.protocol)) {
    throw new DatabaseUnavailable(
      "DATABASE_URL is not the URL of a PostgreSQL: expected postgresql://user:password@host:port/database.",
    );
  }
  const user = decode(parsed.username);
  return {
    host: parsed.host ? `${parsed.hostname}:${parsed.port || "5432"}` : "the local socket",
    user,
    database: decode(parsed.pathname.slice(1)) || user,
  };
}

/** Puts what node-postgres threw while connecting into words. */
export function explainConnectionError(error: unknown, url: string): DatabaseUnavailable {
  const { host, user, database } = parseDatabaseUrl(url);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  if (code === "3D000") {
    return new DatabaseUnavailable(
      `The database "${database}" of DATABASE_URL does not exist on ${host}: create it (create database "${database}"), or correct the URL.`,
    );
  }
  if (code === "28P01" || code === "28000" || message.includes("password must be a string")) {
    return new DatabaseUnavailable(
      `PostgreSQL on ${host} refuses the user "${user}" of DATABASE_URL: correct the user name or password, or let it in (pg_hba.conf).`,
    );
  }
  if (UNREACHABLE.includes(code) || /timeout|terminated unexpectedly/.test(message)) {
    return new DatabaseUnavailable(
      `No PostgreSQL answers at ${host} (${code || "timeout"}): start it, or correct DATABASE_URL; unset, the application brings its own.`,
    );
  }
  return new DatabaseUnavailable(`PostgreSQL on ${host}, named by DATABASE_URL, cannot be used: ${message}.`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
