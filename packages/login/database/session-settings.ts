/**
 * Statements and their results depend on these settings. Each connection sets them, because a server, database or role
 * can have other defaults. For example, Debian's initdb writes the machine's time zone into `postgresql.conf`.
 */
const SETTINGS = {
  // Drivers read and write timestamps without an offset.
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  bytea_output: "hex",
  standard_conforming_strings: "on",
  // The statements lock rows explicitly. A stricter level could cause serialization failures, which are not retried.
  default_transaction_isolation: "read committed",
  // Waiting for a lock needs no separate limit, because it counts towards the statement's own time limit.
  lock_timeout: "0",
};

/** The settings that PgBouncer tracks and restores when it assigns a server connection to a client. */
const TRACKED = ["TimeZone", "DateStyle", "standard_conforming_strings"] as const;

/** `more` adds settings to the defaults above, or replaces them. */
export function formatStartupOptions(more: Readonly<Record<string, string>>): string {
  return Object.entries({ ...SETTINGS, ...more })
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, "\\$&")}`)
    .join(" ");
}

/** For a connection through a pooler, which does not accept `options`. */
export const SET_SESSION_SETTINGS = TRACKED.map((name) => `SET ${name} = '${SETTINGS[name]}'`).join("; ");
