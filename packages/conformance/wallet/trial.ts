import { lookup } from "node:dns/promises";
import { hostname, networkInterfaces } from "node:os";
import { block, fail, skip } from "../check.ts";
import type { RequestBudget } from "../request-budget.ts";
import { type Action, type CodeParts, makePayload } from "./code.ts";
import {
  type Arrival,
  type Domains,
  type HostileSite,
  newLocalhostName,
  type Responder,
  withHostileSite,
} from "./hostile-site.ts";

export type WalletExit = {
  /** 0 if the wallet reports that the site accepted its answer. */
  status: number;
  output: string;
};

/** A wallet that receives a payload and the user's intended action, and approves. */
export type WalletCommand = (payload: string, action: Action) => Promise<WalletExit>;

export type CodeTrial = { exit: WalletExit; arrivals: Arrival[]; questions: Arrival[]; challenge: string };

/** The code that the wallet is shown, and how its site behaves. A missing part is that of a correct code. */
type TrialOptions = Partial<CodeParts> & {
  /** The name at which the wallet reaches the site. */
  host?: string;
  /** Parts that depend on the site's webhook. */
  make?: (webhook: URL) => CodeParts | null;
  answer?: Responder;
  /** The site's description of the asking browser. None by default. */
  question?: Responder;
  /** The user's intended action; the code's own action by default. */
  wanted?: Action;
  /** How many seconds to keep listening after the wallet has ended. */
  listens?: number;
};

/** The tools for a check of a wallet. */
export type TrialParts = {
  command: WalletCommand;
  budget: RequestBudget;
  /** Whether the command receives the user's intended action. */
  knowsAction: boolean;
  /** Whether the wallet holds the phrase of the test vectors (docs/wallet.md#vectors). */
  holdsVectors: boolean;
  /**
   * Domains on this machine with delegation files.
   * @throws {NotApplicableError} if they are not available
   */
  domains: () => Promise<Domains>;
  /** A name under which others also reach this machine; null if it has none. */
  outerName: () => Promise<OuterAddress | null>;
};

export type Trial = ReturnType<typeof openTrial>;

export function openTrial({ command, budget, ...known }: TrialParts) {
  /** Opens a site, passes one of its codes to the wallet, and collects what arrives. */
  function tryCode(options: TrialOptions = {}): Promise<CodeTrial> {
    const { answer, question, wanted, listens = 0, host, make, ...given } = options;
    return withHostileSite({ answer, question }, async (site) => {
      const webhook = formatWebhookUrl(site, host);
      const parts = { webhook, ...given, ...make?.(new URL(webhook)) };
      const { payload, challenge } = makePayload(parts);
      budget.spend();
      const exit = await command(payload, wanted ?? parts.action ?? "login");
      if (listens > 0) await new Promise((resolve) => setTimeout(resolve, listens * 1000));
      return { exit, arrivals: [...site.arrivals], questions: [...site.questions], challenge };
    });
  }

  /**
   * Returns the wallet's answer to a correct code.
   * @throws {BlockedError} if there is none
   */
  async function answered(options?: TrialOptions) {
    const tried = await tryCode(options);
    const arrival = tried.arrivals[0];
    if (!arrival) block("The wallet does not answer a correct code", firstLine(tried.exit), "7-answers");
    return { ...tried, arrival };
  }

  return { ...known, try: tryCode, answered };
}

/** A name or address of this machine, and the address at which the kit listens for it. */
export type OuterAddress = { domain: string; address: string };

/**
 * Returns the wallet's answer to a code for another domain than `localhost`.
 * @throws {NotApplicableError} if there is none
 */
export async function answerForOtherDomain(trial: Trial): Promise<{ domain: string; arrival: Arrival }> {
  for (const domain of ["127.0.0.1", newLocalhostName("other")]) {
    const { arrivals } = await trial.try({ host: domain, domain });
    if (arrivals[0]) return { domain, arrival: arrivals[0] };
  }
  skip("The wallet answers only for localhost, not for 127.0.0.1 or a name below localhost.");
}

export function formatWebhookUrl({ port }: Pick<HostileSite, "port">, host = "localhost"): string {
  return `http://${host}:${port}/webhook/login`;
}

/**
 * @param questions how often the wallet may request the asking browser: never about a code whose text alone makes the
 * wallet refuse it, whatever the time
 * @throws {CheckFailure} if a request arrived, or the wallet reports success
 */
export function expectRefusal(
  { arrivals, questions: questionCount, exit }: CodeTrial,
  what: string,
  questions = 0,
): void {
  if (arrivals.length > 0) fail(`The wallet answers ${what} (${arrivals[0]?.method} ${arrivals[0]?.path}).`);
  if (questionCount.length > questions)
    fail(`The wallet asks the site about the browser before it refuses ${what}.`);
  if (exit.status === 0) fail(`The wallet sends no response to ${what}, but reports success.`);
}

export function firstLine({ output, status }: WalletExit): string {
  return output.trim().split("\n")[0] || `it exits with ${status} without a message.`;
}

/**
 * Returns an address of this machine that others can also reach.
 * @throws {NotApplicableError} if there is none
 */
export function findOuterAddress(): string {
  const [address] = outerAddresses();
  if (address === undefined) skip("This machine has no address but loopback.");
  return address;
}

function outerAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
}

/** Returns this machine's host name, if it resolves to an address that other machines can also reach. */
export async function findOuterName(): Promise<OuterAddress | null> {
  const domain = hostname().toLowerCase();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)) return null;
  const found = await lookup(domain, 4).catch(() => null);
  return found && outerAddresses().includes(found.address) ? { domain, address: found.address } : null;
}
