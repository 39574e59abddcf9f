import { type CommandLine, readCommandLine, readNumber, UsageError } from "../terminal/command-line.ts";
import { FAST_PATHS, type FastTarget } from "./fast/entrances.ts";
import { baseOf, type HostedTarget } from "./hosted/target.ts";
import { DEFAULT_PATHS, type Target } from "./server/site.ts";

const PATHS = {
  qr: { value: "PATH", does: "server: where the site gives codes, if not at the usual path" },
  check: { value: "PATH", does: "server: where it tells the status of a login" },
  events: { value: "PATH", does: "server: where it pushes the status" },
  webhook: { value: "PATH", does: "server: where it takes answers of wallets" },
  "sign-in": { value: "PATH", does: "server: where it signs a browser in" },
  session: { value: "PATH", does: "server: where it tells who is signed in, if it is not NextAuth" },
  "sign-out": { value: "PATH", does: "server: where it signs a browser out, if it is not NextAuth" },
  dashboard: { value: "PATH", does: "server: the page of who is signed in" },
} as const;

export const COMMAND_LINE = {
  program: "svc-conformance",
  about:
    "Proves that a site, a wallet or a receiver of events keeps the login protocol (docs/conformance.md).",
  commands: {
    server: {
      with: "--url URL [--flow fast | --flow hosted --key KEY]",
      does: "a site, as wallet, browser and thief; or a hosted API, as a customer's server and its wallets",
    },
    receiver: { with: "--url URL --secret whsec_…", does: "a receiver of events, as the hosted API" },
    wallet: {
      with: "--command 'CMD {payload}'",
      does: "a wallet that runs as a command, as hostile sites ({action} becomes login or register)",
    },
  },
  options: {
    url: { value: "URL", does: "what to test" },
    flow: {
      value: "FLOW",
      default: "login",
      does: "server: login by keys, fast by Bitcoin addresses, or hosted for an API",
    },
    ...PATHS,
    limits: { does: "server: also uses up its limits, which locks this machine out for a minute" },
    slow: { does: "server --flow fast: also waits for challenges to expire, which takes two minutes" },
    key: {
      value: "KEY",
      does: "server --flow hosted: the API key; it decides the path (/sandbox/v1 or /v1), unless --url has one",
    },
    "other-key": {
      value: "KEY",
      does: "server --flow hosted: another tenant's key of the same kind, for what keeps tenants apart",
    },
    secret: { value: "SECRET", does: "receiver: the secret that it checks" },
    command: { value: "COMMAND", does: "wallet: how it is called" },
    vectors: {
      does: "wallet: it holds the phrase of docs/wallet.md, whose keys are compared with those there",
    },
    only: { value: "ID", multiple: true, does: "one check, or a section such as 1.4; may be repeated" },
    list: { does: "prints the checks and runs none" },
    report: { value: "DIR", does: "writes report.json, junit.xml and report.html" },
    baseline: {
      value: "FILE",
      does: "names of checks that are known to fail, one a line; one that passes fails the run",
    },
    timeout: { value: "SECONDS", default: "10", does: "how long to wait for an answer" },
    yes: { does: "does not ask before it sends anything to a host that is not this machine" },
  },
  notes: "Exit: 0 every MUST holds, 1 one does not, 2 it could not run.",
} as const satisfies CommandLine;

/** What the command line asks for. */
export type Call =
  | ({ verb: "server"; flow: "login"; target: Target; limits: boolean } & CommonOptions)
  | ({ verb: "server"; flow: "fast"; target: FastTarget; limits: boolean; slow: boolean } & CommonOptions)
  | ({ verb: "server"; flow: "hosted"; target: HostedTarget; limits: boolean } & CommonOptions)
  | ({ verb: "receiver"; url: URL; secret: string } & CommonOptions)
  | ({ verb: "wallet"; command: string; holdsVectors: boolean } & CommonOptions);

export type CommonOptions = {
  only: string[];
  list: boolean;
  report: string | null;
  baseline: string | null;
  timeoutSeconds: number;
  yes: boolean;
};

/**
 * @returns null where help is asked for
 * @throws {UsageError}
 */
export function readArguments(args: readonly string[]): Call | null {
  const call = args.length > 0 ? readCommandLine(COMMAND_LINE, args) : null;
  if (call === null) return null;
  const { command: verb, values } = call;
  const { limits, list, yes } = values;
  const common: CommonOptions = {
    ...{ list, yes },
    only: values.only.flatMap((text) => text.split(",")),
    report: values.report ?? null,
    baseline: values.baseline ?? null,
    timeoutSeconds: readNumber("timeout", values.timeout, { least: 0.001, most: 600 }),
  };
  switch (verb) {
    case "server": {
      if (values.flow === "hosted") {
        const target = list ? NOWHERE : readHosted(values.url, values.key, values["other-key"]);
        return { verb, flow: "hosted", target, limits, ...common };
      }
      const origin = list ? new URL("http://localhost") : readOrigin(values.url);
      const usual = values.flow === "fast" ? FAST_PATHS : DEFAULT_PATHS;
      const given = givenPaths(values, Object.keys(usual));
      switch (values.flow) {
        case "login":
          return { verb, flow: "login", target: { ...DEFAULT_PATHS, ...given, origin }, limits, ...common };
        case "fast": {
          const target = { ...FAST_PATHS, ...given, origin };
          return { verb, flow: "fast", target, limits, slow: values.slow, ...common };
        }
        default:
          throw new UsageError(`There is no flow "${values.flow}": login, fast or hosted.`);
      }
    }
    case "receiver": {
      const url = list
        ? new URL("http://localhost")
        : readUrl(values.url, "http://localhost:3000/api/svc/webhook");
      return { verb, url, secret: list ? "" : readSecret(values.secret), ...common };
    }
    case "wallet":
      return {
        verb,
        command: list ? "" : readCommand(values.command),
        holdsVectors: values.vectors,
        ...common,
      };
  }
}

/** The paths that the command line names. @throws {UsageError} where this flow has no such path */
function givenPaths(values: Record<string, unknown>, known: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(PATHS)) {
    const path = readPath(name, values[name] as string | undefined);
    const key = name.replace(/-(.)/, (_, letter) => letter.toUpperCase());
    if (path === undefined) continue;
    if (!known.includes(key)) throw new UsageError(`--flow ${values.flow} has no --${name}.`);
    given[key] = path;
  }
  return given;
}

function readUrl(text: string | undefined, example: string): URL {
  if (text === undefined) throw new UsageError(`Name what to test: --url ${example}`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--url ${text} is no http or https URL.`);
  return url;
}

function readOrigin(text: string | undefined): URL {
  const url = readUrl(text, "http://localhost:3000");
  if (url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new UsageError(
      `--url names an origin, such as ${url.origin}, without a path. --qr and others name paths.`,
    );
  }
  return url;
}

/** What `--list` needs of an API. */
const NOWHERE: HostedTarget = { origin: new URL("http://localhost"), base: "", key: "", otherKey: null };

function readHosted(
  text: string | undefined,
  key: string | undefined,
  otherKey: string | undefined,
): HostedTarget {
  const url = readUrl(text, "http://localhost:3000");
  if (url.search || url.hash || url.username)
    throw new UsageError("--url names an origin, or the base of the API below it.");
  if (key === undefined) throw new UsageError("Name the key that the API is called with: --key svc_test_…");
  if (otherKey === key) throw new UsageError("--other-key is another tenant's key, and not the same.");
  const path = url.pathname.replace(/\/$/, "");
  const base = path === "" ? baseOf(key) : path;
  if (base === null)
    throw new UsageError(
      "The key begins with neither svc_test_ nor svc_live_: name the base of the API with --url.",
    );
  return { origin: new URL(url.origin), base, key, otherKey: otherKey ?? null };
}

function readSecret(text: string | undefined): string {
  if (!text?.startsWith("whsec_"))
    throw new UsageError("Name the secret that the receiver checks: --secret whsec_…");
  return text;
}

function readCommand(text: string | undefined): string {
  if (!text?.includes("{payload}"))
    throw new UsageError("Name the wallet: --command 'wallet {action} {payload}'");
  return text;
}

function readPath(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !/^\/[!-~]*$/.test(text))
    throw new UsageError(`--${name} is a path that begins with "/".`);
  return text?.replace(/\/$/, "");
}
