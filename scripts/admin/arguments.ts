import { API_MODES, type ApiMode, isApiMode, OPERATOR_TENANT } from "#lib/hosted/contract/tenant.ts";
import { type CommandLine, readCommandLine, UsageError } from "#lib/terminal/command-line.ts";

/** One call of the operator's command line, understood. */
export type AdminCall =
  | { command: "api-key list" | "domain list" | "secrets reseal" | "migrate" }
  | { command: "api-key create"; mode: ApiMode; name: string; owner: string }
  | { command: "api-key revoke"; id: string }
  | { command: "domain trust"; host: string; mode: ApiMode; owner: string; webhookUrl: string | undefined };

const NAME_LIMIT_CHARACTERS = 100;

export const COMMAND_LINE = {
  program: "npm run admin --",
  about: "Keys and domains of the hosted API, and the database, for the operator.",
  commands: {
    "api-key create": {
      with: "--mode live|test --name NAME [--owner OWNER]",
      does: "make a key; it is shown once",
    },
    "api-key list": { does: "every owner's keys" },
    "api-key revoke": { takes: "ID", does: "end a key at once" },
    "domain trust": {
      takes: "HOST",
      with: "--mode live|test [--owner OWNER] [--webhook-url URL]",
      does: "register a domain when needed, and mark it verified",
    },
    "domain list": { does: "every owner's domains" },
    "secrets reseal": {
      does: "seal webhook secrets under NEXTAUTH_SECRET that are sealed under NEXTAUTH_SECRET_PREVIOUS",
    },
    migrate: { does: "bring the database to the schema of this version" },
  },
  options: {
    mode: { value: API_MODES.join("|"), does: "whether it is for production or for the sandbox" },
    name: { value: "NAME", does: "what the key is called" },
    owner: {
      value: "OWNER",
      default: OPERATOR_TENANT,
      does: "the tenant that it belongs to, made when new, or user:ID of the console",
    },
    "webhook-url": { value: "URL", does: "where the domain's events go" },
    json: { does: "print one JSON object on the last line" },
  },
  notes: `Examples
  npm run admin -- api-key create --mode test --name "my laptop"
  npm run admin -- domain trust localhost --mode test --webhook-url http://localhost:4000/events

The database is the application's own: DATABASE_URL, or the embedded one, whether the application runs or not.
Exit status: 0 on success, 1 otherwise.`,
} satisfies CommandLine;

/**
 * Understands the arguments of `admin`.
 * @returns null where help is asked for
 * @throws {UsageError} with a sentence that says what is wrong
 */
export function readArguments(args: readonly string[]): AdminCall | null {
  const call = args.length > 0 ? readCommandLine(COMMAND_LINE, args) : null;
  if (call === null) return null;
  const { command, values, subjects } = call;
  const [subject = ""] = subjects;
  const owner = () => readName("--owner", values.owner);
  switch (command) {
    case "api-key create":
      return { command, mode: readMode(values.mode), name: readName("--name", values.name), owner: owner() };
    case "api-key revoke":
      return { command, id: subject };
    case "domain trust":
      return {
        ...{ command, host: subject, mode: readMode(values.mode) },
        ...{ owner: owner(), webhookUrl: values["webhook-url"] },
      };
    default:
      return { command };
  }
}

function readMode(value: string | undefined): ApiMode {
  if (isApiMode(value)) return value;
  throw new UsageError(`Say --mode ${API_MODES.join(" or --mode ")}.`);
}

function readName(option: string, value: string | undefined): string {
  const name = value?.trim() ?? "";
  if (name === "") throw new UsageError(`Say ${option} and a name.`);
  if (name.length > NAME_LIMIT_CHARACTERS || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new UsageError(`${option} takes up to ${NAME_LIMIT_CHARACTERS} characters on one line.`);
  }
  return name;
}
