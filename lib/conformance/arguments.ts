import { parseArgs } from "node:util";
import { baseOf, type HostedTarget } from "./hosted/target.ts";
import { DEFAULT_PATHS, type Target } from "./server/target.ts";

export const HELP = `Proves that a site, a wallet or a receiver of events keeps the login protocol (docs/conformance.md).

  conformance server --url URL                    a site, as wallet, browser and thief
  conformance server --flow hosted --url URL --key svc_test_…
                                                  a hosted API, as a customer's server and its wallets
  conformance receiver --url URL --secret whsec_… a receiver of events, as the hosted API
  conformance wallet --command 'CMD {payload}'    a wallet that runs as a command, as hostile sites
                                                  ({action} becomes login or register)

  server:
  --qr --check --events --webhook --sign-in PATH   where the site answers, if not at the usual paths
  --limits           also uses up the site's limits: it locks this machine out for a minute
  --flow FLOW        login (default) or hosted

  server --flow hosted:
  --key KEY          what the API is called with; the base of --url follows from it, unless it has a path
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
  | ({ verb: "server"; flow: "hosted"; target: HostedTarget; limits: boolean } & CommonOptions)
  | ({ verb: "receiver"; url: URL; secret: string } & CommonOptions)
  | ({ verb: "wallet"; command: string } & CommonOptions);

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
  qr: { type: "string" },
  check: { type: "string" },
  events: { type: "string" },
  webhook: { type: "string" },
  secret: { type: "string" },
  command: { type: "string" },
  "sign-in": { type: "string" },
  limits: { type: "boolean" },
  flow: { type: "string" },
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
      const { flow = "login" } = values;
      const limits = values.limits ?? false;
      if (flow === "hosted") {
        const target = list ? NOWHERE : readHosted(values.url, values.key, values["other-key"]);
        return { verb, flow, target, limits, ...common };
      }
      if (flow !== "login") throw new UsageError(`There is no flow "${flow}": login or hosted.`);
      const origin = list ? new URL("http://localhost") : readOrigin(values.url);
      const paths = {
        qr: readPath("qr", values.qr),
        check: readPath("check", values.check),
        events: readPath("events", values.events),
        webhook: readPath("webhook", values.webhook),
        signIn: readPath("sign-in", values["sign-in"]),
      };
      const given = Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== undefined));
      return {
        ...{ verb, flow, limits, ...common },
        target: { ...DEFAULT_PATHS, ...given, origin },
      };
    }
    case "receiver": {
      const url = list
        ? new URL("http://localhost")
        : readUrl(values.url, "http://localhost:3000/api/svc/webhook");
      return { verb, url, secret: list ? "" : readSecret(values.secret), ...common };
    }
    case "wallet":
      return { verb, command: list ? "" : readCommand(values.command), ...common };
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
