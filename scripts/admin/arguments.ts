import { parseArgs } from "node:util";
import { API_MODES, type ApiMode, isApiMode, OPERATOR_OWNER } from "#lib/hosted/contract/tenant.ts";

/** One call of the operator's command line, understood. */
export type AdminCall =
  | { command: "help" }
  | { command: "create-key"; mode: ApiMode; name: string; owner: string }
  | { command: "list-keys" }
  | { command: "revoke-key"; id: string }
  | { command: "trust-domain"; host: string; mode: ApiMode; owner: string; webhookUrl: string | undefined }
  | { command: "list-domains" }
  | { command: "reseal-secrets" }
  | { command: "migrate" };

/** The arguments are wrong; `message` says how. */
export class UsageError extends Error {}

const NAME_LIMIT_CHARACTERS = 100;

export const HELP = `Keys and domains of the hosted API, and the database, for the operator.

  api-key create --mode live|test --name NAME [--owner OWNER]
                            make a key; it is shown once
  api-key list              every owner's keys
  api-key revoke ID         end a key at once

  domain trust HOST --mode live|test [--owner OWNER] [--webhook-url URL]
                            register a domain when needed, and mark it verified
  domain list               every owner's domains

  secrets reseal            seal webhook secrets under NEXTAUTH_SECRET that are sealed under NEXTAUTH_SECRET_PREVIOUS
  migrate                   bring the database to the schema of this version

Options
  --owner OWNER   the tenant that it belongs to, made when new, or user:ID of the console (default: ${OPERATOR_OWNER})
  --json          print one JSON object on the last line
  --help          this text

Examples
  npm run admin -- api-key create --mode test --name "my laptop"
  npm run admin -- domain trust localhost --mode test --webhook-url http://localhost:4000/events

The database is the application's own: DATABASE_URL, or the embedded one, whether the application runs or not.
Exit status: 0 on success, 1 otherwise.`;

/**
 * Understands the arguments of `admin`.
 * @throws {UsageError} with a sentence that says what is wrong
 */
export function readArguments(args: readonly string[]): AdminCall {
  const { values, positionals } = parse(args);
  const [noun, verb, subject, ...rest] = positionals;
  if (values.help || noun === undefined || noun === "help") return { command: "help" };
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one argument too many: put names in quotes.`);
  const command = [noun, verb].filter(Boolean).join(" ");
  switch (command) {
    case "api-key create":
      refuseSubject(subject);
      return {
        command: "create-key",
        mode: readMode(values.mode),
        name: readName("--name", values.name),
        owner: readOwner(values.owner),
      };
    case "api-key list":
      refuseSubject(subject);
      return { command: "list-keys" };
    case "api-key revoke":
      return { command: "revoke-key", id: requireSubject(subject, "the key's ID: `api-key list` shows it") };
    case "domain trust":
      return {
        command: "trust-domain",
        host: requireSubject(subject, "the domain, such as login.example.com"),
        mode: readMode(values.mode),
        owner: readOwner(values.owner),
        webhookUrl: values["webhook-url"],
      };
    case "domain list":
      refuseSubject(subject);
      return { command: "list-domains" };
    case "secrets reseal":
      refuseSubject(subject);
      return { command: "reseal-secrets" };
    case "migrate":
      return { command: "migrate" };
    default:
      throw new UsageError(
        `There is no "${command}". There is: api-key create, api-key list, api-key revoke, domain trust, domain list, secrets reseal, migrate.`,
      );
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        mode: { type: "string" },
        name: { type: "string" },
        owner: { type: "string" },
        "webhook-url": { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readMode(value: string | undefined): ApiMode {
  if (isApiMode(value)) return value;
  throw new UsageError(`Say --mode ${API_MODES.join(" or --mode ")}.`);
}

function readOwner(value: string | undefined): string {
  return value === undefined ? OPERATOR_OWNER : readName("--owner", value);
}

function readName(option: string, value: string | undefined): string {
  const name = value?.trim() ?? "";
  if (name === "") throw new UsageError(`Say ${option} and a name.`);
  if (name.length > NAME_LIMIT_CHARACTERS || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new UsageError(`${option} takes up to ${NAME_LIMIT_CHARACTERS} characters on one line.`);
  }
  return name;
}

function requireSubject(subject: string | undefined, what: string): string {
  if (subject) return subject;
  throw new UsageError(`Name ${what}.`);
}

function refuseSubject(subject: string | undefined): void {
  if (subject !== undefined) throw new UsageError(`"${subject}" is one argument too many.`);
}
