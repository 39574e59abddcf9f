import { parseArgs } from "node:util";
import { FAST_PATHS, type FastTarget } from "./fast/target.ts";
import { baseOf, type HostedTarget } from "./hosted/target.ts";
import { DEFAULT_PATHS, type Target } from "./server/target.ts";

export const HELP = `Proves that a site, a wallet or a receiver of events keeps the login protocol (docs/conformance.md).

  conformance server --url URL                    a site, as wallet, browser and thief
  conformance server --flow hosted --url URL --key svc_test_…
                                                  a hosted API, as a customer's server and its wallets
  conformance receiver --url URL --secret whsec_… a receiver of events, as the hosted API
  conformance wallet --command 'CMD {payload}'    a wallet that runs as a command, as hostile sites
                                                  ({action} becomes login or register)

  wallet:
  --vectors          the wallet holds the phrase of docs/wallet.md: its keys are compared with those there

  server:
  --flow FLOW        login (by keys, the default), fast (by Bitcoin addresses) or hosted (an API)
  --qr --check --events --webhook --sign-in --dashboard PATH
                     where the site answers, if not at the usual paths
  --limits           also uses up the site's limits: it locks this machine out for a minute
  --slow             of a fast login: also waits for challenges to expire, which takes two minutes

  server --flow hosted:
  --key KEY          the API key; it also decides the path (/sandbox/v1 or /v1), unless --url has one
  --other-key KEY    another tenant's key of the same kind, for what keeps tenants apart

  all:
  --only ID          one check, or a section such as 1.4; may be repeated
  --list             prints the checks and runs none
  --report DIR       writes report.json, junit.xml and report.html
  --baseline FILE    names of checks that are known to fail, one a line; one that passes fails the run
  --timeout SECONDS  how long to wait for an answer (10)
  --yes              does not ask before it sends anything to a host that is not this machine

Exit: 0 every MUST holds, 1 one does not, 2 it could not run.
`;

/** What the command line asks for. */
export type Call =
  | { verb: "help" }
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

/** The command line cannot be understood. */
export class UsageError extends Error {
  override name = "UsageError";
}

const OPTIONS = {
  url: { type: "string" },
  flow: { type: "string", default: "login" },
  qr: { type: "string" },
  check: { type: "string" },
  events: { type: "string" },
  webhook: { type: "string" },
  secret: { type: "string" },
  command: { type: "string" },
  "sign-in": { type: "string" },
  dashboard: { type: "string" },
  vectors: { type: "boolean" },
  limits: { type: "boolean" },
  slow: { type: "boolean" },
  key: { type: "string" },
  "other-key": { type: "string" },
  only: { type: "string", multiple: true },
  list: { type: "boolean" },
  report: { type: "string" },
  baseline: { type: "string" },
  timeout: { type: "string" },
  yes: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** @throws {UsageError} */
export function readArguments(args: string[]): Call {
  const { values, positionals } = parse(args);
  const [verb, ...others] = positionals;
  if (values.help || verb === undefined || verb === "help") return { verb: "help" };
  if (others.length > 0) throw new UsageError(`"${others[0]}" is one word too many.`);
  const common: CommonOptions = {
    only: (values.only ?? []).flatMap((text) => text.split(",")),
    list: values.list ?? false,
    report: values.report ?? null,
    baseline: values.baseline ?? null,
    timeoutSeconds: readTimeout(values.timeout),
    yes: values.yes ?? false,
  };
  const { list } = common;
  switch (verb) {
    case "server": {
      const limits = values.limits ?? false;
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
          return { verb, flow: "fast", target, limits, slow: values.slow ?? false, ...common };
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
        holdsVectors: values.vectors ?? false,
        ...common,
      };
    default:
      throw new UsageError(`There is no "${verb}" to test: server, receiver or wallet.`);
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The paths that the command line names. @throws {UsageError} where this flow has no such path */
function givenPaths(values: Record<string, unknown>, known: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of ["qr", "check", "events", "webhook", "sign-in", "dashboard"]) {
    const path = readPath(name, values[name] as string | undefined);
    const key = name === "sign-in" ? "signIn" : name;
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

function readTimeout(text = "10"): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError("--timeout is a number of seconds, up to 600.");
  return seconds;
}
