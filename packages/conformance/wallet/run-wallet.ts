import { spawn } from "node:child_process";
import { skip } from "../check.ts";
import { RequestBudget } from "../request-budget.ts";
import { type RunOptions, type RunOutcome, runChecks } from "../run-checks.ts";
import { WALLET_CHECKS } from "./checks.ts";
import { type Domains, openDomains } from "./hostile-site.ts";
import {
  findOuterName,
  type OuterAddress,
  openTrial,
  type Trial,
  type TrialParts,
  type WalletCommand,
} from "./trial.ts";

export type WalletRun = Pick<TrialParts, "command" | "knowsAction"> &
  Partial<Pick<TrialParts, "holdsVectors"> & Omit<RunOptions<Trial>, "openContext">> & {
    /** By default, listens on port 80 of this machine. Serves the delegation files. */
    domains?: Domains;
    /** Other machines reach this one by this name. By default, the kit looks for such a name. */
    outerName?: OuterAddress | null;
  };

/** The kit acts as the sites whose codes the wallet scans. Each site listens on this machine. */
export async function runWallet(options: WalletRun): Promise<RunOutcome> {
  const { command, knowsAction, holdsVectors = false } = options;
  const { checks = WALLET_CHECKS, lanes = 3, onProgress = () => {} } = options;
  const budget = new RequestBudget();
  let opened: Promise<Domains> | undefined;
  const domains = async () => {
    if (options.domains) return options.domains;
    opened ??= openDomains();
    return opened.catch(() => {
      skip("Port 80 of this machine, where wallets ask its names, cannot be opened.");
    });
  };
  const { outerName: requestedName } = options;
  const outerName = requestedName === undefined ? findOuterName : async () => requestedName;
  const results = await runChecks({
    ...{ checks, lanes, onProgress },
    openContext: () => ({
      context: openTrial({ command, budget, knowsAction, holdsVectors, domains, outerName }),
      exchanges: () => [],
    }),
  });
  (await opened?.catch(() => null))?.close();
  return { results, requests: budget.sent };
}

/** A challenge is valid for 30 seconds, so a wallet that takes longer than this is hanging. */
const HANGS_SECONDS = 60;
const OUTPUT_CHARACTERS = 64 * 1024;

/** @param template the command, with the placeholder `{payload}` and optionally `{action}` */
export function createShellWallet(template: string, cwd: string): WalletCommand {
  return (payload, action) => {
    const command = template.replaceAll("{payload}", quote(payload)).replaceAll("{action}", action);
    return new Promise((resolve) => {
      const child = spawn("/bin/sh", ["-c", command], {
        cwd,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let output = "";
      const collect = (part: Buffer) => {
        if (output.length < OUTPUT_CHARACTERS) output += part.toString("utf8");
      };
      child.stdout.on("data", collect);
      child.stderr.on("data", collect);
      // Kills the whole process group, because the processes that a shell has started outlive the shell.
      const timer = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), HANGS_SECONDS * 1000);
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve({ status: code ?? 1, output });
      });
      child.on("error", (error) => resolve({ status: 127, output: error.message }));
    });
  };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
