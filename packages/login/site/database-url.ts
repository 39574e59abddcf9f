import { findValueMistake } from "./describe-invalid-value.ts";

/** node-postgres silently ignores all other parameters. */
const READ = [
  ...["host", "port", "user", "password", "application_name", "fallback_application_name"],
  ...["ssl", "sslmode", "sslcert", "sslkey", "sslrootcert", "sslnegotiation", "uselibpqcompat"],
  ...["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "query_timeout"],
];

export const PRISMA_PARAMETERS = [
  ...["schema", "connection_limit", "pool_timeout", "connect_timeout", "socket_timeout"],
  ...["pgbouncer", "statement_cache_size"],
];

const EXPLAINED: Readonly<Record<string, string>> = {
  schema: "the tables are always in the schema public. Give the application its own database instead",
  options: "the application sets the options of its sessions itself",
};

/**
 * Does not reveal the URL's password. Returns undefined if the URL is valid.
 * @param knownParameters parameters that other software reads
 */
export function findDatabaseUrlFault(
  value: string,
  knownParameters: readonly string[] = [],
): string | undefined {
  const slip = findValueMistake(value);
  if (slip) return slip;
  if (!/^postgres(ql)?:\/\//i.test(value)) return "another beginning";
  if (value.includes("#")) return 'a "#", which ends a URL: in a password, write it as %23';
  const url = URL.parse(value);
  if (!url) {
    return "no valid URL: in a password, write / as %2F, ? as %3F, % as %25, @ as %40, [ as %5B and ] as %5D";
  }
  const unread = [...url.searchParams.keys()].find((name) => ![...READ, ...knownParameters].includes(name));
  if (unread === undefined) return undefined;
  const reason = Object.hasOwn(EXPLAINED, unread) ? EXPLAINED[unread] : "nothing reads it";
  return `the parameter ${JSON.stringify(unread)}: ${reason}; remove it`;
}
