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

/** `action` is what the user wants. The user approves. */
export type WalletCommand = (payload: string, action: Action) => Promise<WalletExit>;

export type CodeTrial = { exit: WalletExit; arrivals: Arrival[]; questions: Arrival[]; challenge: string };

/** By default, the QR code is valid. */
type TrialOptions = Partial<CodeParts> & {
  /** In the webhook. The wallet reaches the site at this host name. */
  host?: string;
  /** The parts of the code that depend on the webhook URL. */
  make?: (webhook: URL) => CodeParts | null;
  answer?: Responder;
  /** When the wallet asks about the browser. By default, the site does not describe it. */
  question?: Responder;
  /** By the user. By default, the code's own action. */
  wanted?: Action;
  /** For how many seconds the site listens after the wallet's command has ended. */
  listens?: number;
};

export type TrialParts = {
  command: WalletCommand;
  budget: RequestBudget;
  /** The command receives the action that the user wants. */
  knowsAction: boolean;
  /** The wallet uses the seed phrase of the test vectors (docs/wallet.md#vectors). */
  holdsVectors: boolean;
  /**
   * On this machine. The server can publish delegation files.
   * @throws {NotApplicableError} if the server cannot be started
   */
  domains: () => Promise<Domains>;
  /** Null if other machines cannot reach this one by name. */
  outerName: () => Promise<OuterAddress | null>;
};

export type Trial = ReturnType<typeof openTrial>;

export function openTrial({ command, budget, ...known }: TrialParts) {
  /** Opens a site, and collects the requests that arrive. */
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

  /** @throws {BlockedError} if the wallet does not answer a correct code */
  async function answered(options?: TrialOptions) {
    const tried = await tryCode(options);
    const arrival = tried.arrivals[0];
    if (!arrival) block("The wallet does not answer a correct code", firstLine(tried.exit), "7-answers");
    return { ...tried, arrival };
  }

  return { ...known, try: tryCode, answered };
}

/** Other machines reach this one at `domain`, a name or an IP address. The kit listens at `address`. */
export type OuterAddress = { domain: string; address: string };

/** @throws {NotApplicableError} if the wallet does not answer a code for a domain other than `localhost` */
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
 * @param questions how many times the wallet may ask the site about the browser; 0 for a code whose text alone shows
 * that it must be refused
 * @throws {CheckFailure} if the wallet answered, asked more often, or reports success
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
 * Other machines reach this one at this address.
 * @throws {NotApplicableError} if this machine has no such address
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

/** Null unless the host name resolves to an IP address at which other machines reach this one. */
export async function findOuterName(): Promise<OuterAddress | null> {
  const domain = hostname().toLowerCase();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)) return null;
  const found = await lookup(domain, 4).catch(() => null);
  return found && outerAddresses().includes(found.address) ? { domain, address: found.address } : null;
}
