import {
  type Call as CallOf,
  type CommandLine,
  readCommandLine,
  readNumber,
  UsageError,
} from "../terminal/command-line.ts";
import type { Check } from "./check.ts";
import { FAST_CHECKS, runFast } from "./fast/checks.ts";
import { FAST_PATHS } from "./fast/site.ts";
import { API_BASE_PATHS, type HostedTarget } from "./hosted/api.ts";
import { HOSTED_CHECKS, runHosted } from "./hosted/checks.ts";
import { RECEIVER_CHECKS, runReceiver } from "./receiver/checks.ts";
import { type Explanation, explain, listCheckIds } from "./report/reference.ts";
import type { RunOptions, RunOutcome } from "./run-checks.ts";
import { LOGIN_CHECKS, runServer } from "./server/checks.ts";
import { DEFAULT_PATHS } from "./server/site.ts";
import { WALLET_CHECKS } from "./wallet/checks.ts";
import { createShellWallet, runWallet } from "./wallet/run-wallet.ts";

const PATHS = {
  qr: { value: "PATH", does: "server: where the site issues codes, if not at the usual path" },
  check: { value: "PATH", does: "server: the status of a login" },
  events: { value: "PATH", does: "server --flow login: the event stream" },
  webhook: { value: "PATH", does: "server: where wallets post their responses" },
  "sign-in": { value: "PATH", does: "server: where a browser signs in, if the site does not use NextAuth" },
  session: {
    value: "PATH",
    does: "server --flow login: the signed-in user, if the site does not use NextAuth",
  },
  "sign-out": {
    value: "PATH",
    does: "server --flow login: where a browser signs out, if the site does not use NextAuth",
  },
  dashboard: { value: "PATH", does: "server --flow fast: the page of a signed-in user" },
} as const;

export const COMMAND_LINE = {
  program: "svc-conformance",
  about:
    "Tests whether a site, a wallet or a receiver of events conforms to the login protocol (docs/conformance.md).",
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
    explain: { takes: "ID", does: "what a check requires, what usually fails it, and how to fix that" },
  },
  options: {
    url: { value: "URL", does: "what to test" },
    flow: {
      value: "FLOW",
      default: "login",
      does: "server: login with keys, fast with Bitcoin addresses, or hosted for an API",
    },
    ...PATHS,
    limits: { does: "server: also uses up its limits, which locks this machine out for a minute" },
    slow: { does: "server --flow fast: also waits until challenges expire, which takes two minutes" },
    key: {
      value: "KEY",
      does: "server --flow hosted: the API key; it selects the path (/sandbox/v1 or /v1), unless --url has one",
    },
    "other-key": {
      value: "KEY",
      does: "server --flow hosted: another tenant's key of the same kind, to test that tenants are separate",
    },
    secret: { value: "SECRET", does: "receiver: the secret that it verifies events with" },
    command: { value: "COMMAND", does: "wallet: the command that runs it" },
    vectors: {
      does: "wallet: it uses the phrase of the test vectors in docs/wallet.md; compares its keys with them",
    },
    only: { value: "ID", multiple: true, does: "one check, or a section such as 1.4; can be repeated" },
    list: { does: "prints the checks without running any" },
    report: { value: "DIR", does: "writes report.json, junit.xml and report.html" },
    baseline: {
      value: "FILE",
      does: "names of checks that are known to fail, one per line; one that passes fails the run",
    },
    "svc-login": { does: "the site uses @svc/login: shows which of its options or files to look at" },
    timeout: { value: "SECONDS", default: "10", does: "how long to wait for a response" },
    yes: { does: "does not ask before it sends requests to another machine" },
  },
  notes: "Exit status: 0 every MUST holds, 1 a MUST does not hold, 2 the run was not possible.",
} as const satisfies CommandLine;

type Values = CallOf<typeof COMMAND_LINE>["values"];
type OnProgress = RunOptions<never>["onProgress"];

export type Call = Values & { subject: Subject };

type Subject = {
  kind: "server" | "receiver" | "wallet";
  /** Null if the kit only listens. */
  url: URL | null;
  name: string;
  checks: readonly Check<never>[];
  allIds: string[];
  run(onProgress: OnProgress): Promise<RunOutcome>;
};

/** For `--list`, which sends no requests. */
const NO_TARGET = {
  url: "http://localhost",
  key: "svc_test_",
  "other-key": undefined,
  secret: "whsec_",
  command: "{payload}",
};

/**
 * @param cwd the folder that relative paths on the command line start from
 * @returns null if the user asks for help
 * @throws {UsageError}
 */
export function readArguments(args: readonly string[], cwd: string): Call | { explains: Explanation } | null {
  const call = args.length > 0 ? readCommandLine(COMMAND_LINE, args) : null;
  if (call === null) return null;
  if (call.command === "explain") return { explains: readExplained(call.subjects[0] ?? "") };
  const values = call.values.list ? { ...call.values, ...NO_TARGET } : call.values;
  return { ...values, subject: readSubject(call.command, values, cwd) };
}

function readSubject(kind: Subject["kind"], values: Values, cwd: string): Subject {
  const only = values.only.flatMap((text) => text.split(","));
  const timeoutSeconds = readNumber("timeout", values.timeout, { least: 0.001, most: 600 });
  const subject = <Context>(
    name: string,
    url: URL | null,
    all: readonly Check<Context>[],
    run: (
      options: Pick<RunOptions<Context>, "checks" | "onProgress"> & { timeoutSeconds: number },
    ) => Promise<RunOutcome>,
  ): Subject => {
    const isAsked = ({ exhaustsLimits }: Check<Context>) =>
      !exhaustsLimits || values.limits || only.length > 0;
    const checks = choose(all, only).filter(isAsked);
    const allIds = all.map(({ id }) => id);
    return {
      kind,
      name,
      url,
      checks,
      allIds,
      run: (onProgress) => run({ checks, onProgress, timeoutSeconds }),
    };
  };
  if (kind === "wallet") {
    const text = readCommand(values.command);
    const wallet = { command: createShellWallet(text, cwd), knowsAction: text.includes("{action}") };
    const holdsVectors = values.vectors;
    return subject(text, null, WALLET_CHECKS, (run) => runWallet({ ...run, ...wallet, holdsVectors }));
  }
  if (kind === "receiver") {
    const url = readUrl(values.url, "http://localhost:3000/api/svc/webhook");
    const secret = readSecret(values.secret);
    return subject(url.href, url, RECEIVER_CHECKS, (run) => runReceiver({ ...run, url, secret }));
  }
  if (values.flow === "hosted") {
    const target = readHosted(values);
    const { origin, base } = target;
    return subject(origin.origin + base, origin, HOSTED_CHECKS, (run) => runHosted({ ...run, target }));
  }
  const origin = readOrigin(values.url);
  if (values.flow === "fast") {
    const target = { ...readPaths(values, FAST_PATHS), origin };
    const isSlow = values.slow || only.length > 0;
    return subject(origin.origin, origin, FAST_CHECKS, (run) => runFast({ ...run, target, isSlow }));
  }
  if (values.flow !== "login")
    throw new UsageError(`There is no flow "${values.flow}". Use login, fast or hosted.`);
  const target = { ...readPaths(values, DEFAULT_PATHS), origin };
  return subject(origin.origin, origin, LOGIN_CHECKS, (run) => runServer({ ...run, target }));
}

/** @throws {UsageError} for an unknown id */
function readExplained(id: string): Explanation {
  const explanation = explain(id);
  if (explanation !== null) return explanation;
  const similar = listCheckIds().filter((each) => each.endsWith(`-${id}`));
  throw new UsageError(
    `There is no check "${id}". ${similar.length > 0 ? `Did you mean ${similar.join(" or ")}?` : "The commands server, receiver and wallet print the ids of their checks with --list."}`,
  );
}

/** @throws {UsageError} for an unknown check or section */
function choose<Context>(checks: readonly Check<Context>[], only: readonly string[]): Check<Context>[] {
  // Chapter 4, for example, contains the sections 4.1 and 4.2.
  const matches =
    (name: string) =>
    ({ id }: Check<Context>) =>
      id === name || (/^[\d.]+$/.test(name) && (id.startsWith(`${name}-`) || id.startsWith(`${name}.`)));
  const unknown = only.find((name) => !checks.some(matches(name)));
  if (unknown !== undefined)
    throw new UsageError(`There is no check or section "${unknown}" here. --list prints the ids.`);
  return checks.filter((check) => only.length === 0 || only.some((name) => matches(name)(check)));
}

/**
 * The flow's default paths, overridden by those on the command line.
 * @throws {UsageError} if the flow has no such path
 */
function readPaths<Paths extends object>(values: Values, usualPaths: Paths): Paths {
  const paths = { ...usualPaths };
  for (const name of Object.keys(PATHS) as (keyof typeof PATHS)[]) {
    const path = values[name];
    const key = name.replace(/-(.)/, (_, letter) => letter.toUpperCase());
    if (path === undefined) continue;
    if (!(key in usualPaths)) throw new UsageError(`--${name} does not work with --flow ${values.flow}.`);
    if (!/^\/[!-~]*$/.test(path)) throw new UsageError(`--${name} takes a path that begins with "/".`);
    Object.assign(paths, { [key]: path.replace(/\/$/, "") });
  }
  return paths;
}

function readUrl(text: string | undefined, example: string): URL {
  if (text === undefined) throw new UsageError(`Pass the URL to test: --url ${example}`);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url ${text} is not an http or https URL.`);
  return url;
}

function readOrigin(text: string | undefined): URL {
  const url = readUrl(text, "http://localhost:3000");
  if (url.pathname !== "/" || url.search || url.hash || url.username)
    throw new UsageError(
      `--url takes an origin without a path, such as ${url.origin}. Pass paths with --qr and similar options.`,
    );
  return url;
}

function readHosted({ url: text, key, "other-key": otherKey }: Values): HostedTarget {
  const url = readUrl(text, "http://localhost:3000");
  if (url.search || url.hash || url.username)
    throw new UsageError("--url takes an origin, or an origin with the API's base path.");
  if (key === undefined) throw new UsageError("Pass an API key: --key svc_test_…");
  if (otherKey === key) throw new UsageError("--other-key has to be another tenant's key, not the same one.");
  const path = url.pathname.replace(/\/$/, "");
  const base = path === "" ? API_BASE_PATHS[key.slice(0, 9)] : path;
  if (base === undefined)
    throw new UsageError(
      "The key begins with neither svc_test_ nor svc_live_. Pass the API's base path with --url.",
    );
  return { origin: new URL(url.origin), base, key, otherKey: otherKey ?? null };
}

function readSecret(text: string | undefined): string {
  if (!text?.startsWith("whsec_"))
    throw new UsageError("Pass the secret that the receiver verifies with: --secret whsec_…");
  return text;
}

function readCommand(text: string | undefined): string {
  if (!text?.includes("{payload}"))
    throw new UsageError(
      `${text === undefined ? "Pass the wallet's command" : "The command has no {payload}"}: --command 'wallet {action} {payload}'`,
    );
  return text;
}
