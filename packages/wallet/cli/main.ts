import dns from "node:dns";
import { formatHelp, formatHelpHint, UsageError } from "../../terminal/command-line.ts";
import { toVisibleText } from "../../terminal/visible-text.ts";
import { parseRecoveryPhrase } from "../seed.ts";
import { undoLogin } from "../undo-login.ts";
import { WalletError } from "../wallet-error.ts";
import { createCommandLine, type ProgramInfo, parseArguments, type WalletCommand } from "./arguments.ts";
import { answerScannedCode, type CommandContext, createDomainKeyOutput, formatKeyName } from "./commands.ts";
import { createPassphraseSource, promptForRecoveryPhrase } from "./passphrase.ts";
import {
  openSeedFile,
  restoreSeedFile,
  SeedFileError,
  type SeedFileOptions,
  sealSeedFile,
} from "./seed-file.ts";
import { openSiteRecordsFile } from "./site-records-file.ts";

/** The exit status is 0 on success, otherwise 1, after printing the error. */
export async function main(args: string[], program: ProgramInfo): Promise<0 | 1> {
  resolveLocalhostNames();
  const json = args.includes("--json");
  try {
    const call = parseArguments(args, { env: process.env, cwd: process.cwd(), program });
    if (call !== null) return await run(call, program);
    print(formatHelp(createCommandLine(program)).trimEnd());
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    warn(message);
    if (error instanceof UsageError) warn(formatHelpHint(createCommandLine(program)));
    if (json) print(JSON.stringify({ ok: false, status: 0, code: codeOf(error), message, advice: "" }));
    return 1;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof WalletError) return error.code;
  if (error instanceof SeedFileError) return "seed_file";
  return error instanceof UsageError ? "usage" : "unexpected";
}

async function run(call: WalletCommand, program: ProgramInfo): Promise<0 | 1> {
  const { verb, subject, seedFile, json } = call;
  switch (verb) {
    case "show": {
      const key = createDomainKeyOutput(subject, await openWallet(call, program));
      print(`Domain       ${key.domain}`);
      print(`Account      ${key.account}`);
      print(`Path         ${key.path}`);
      print(`Public key   ${key.public_key}`);
      print(`Fingerprint  ${formatKeyName(key)}`);
      if (json) print(JSON.stringify(key));
      return 0;
    }
    case "restore":
      return restore(call, program);
    case "seal":
      await sealSeedFile(seedFile, keeper(call));
      print(`Sealed ${seedFile}.`);
      return 0;
    case "undo": {
      const result = await undoLogin(subject);
      (result.ok ? print : warn)(result.advice);
      if (json) print(JSON.stringify(result));
      return result.ok ? 0 : 1;
    }
    default: {
      const result = await answerScannedCode(verb, subject, await openWallet(call, program));
      report(result, program);
      if (json) print(JSON.stringify(result));
      return result.ok ? 0 : 1;
    }
  }
}

async function restore(call: WalletCommand, program: ProgramInfo): Promise<0> {
  const { seedFile } = call;
  const sealed = await restoreSeedFile(
    seedFile,
    parseRecoveryPhrase(await promptForRecoveryPhrase()),
    keeper(call),
  );
  print(`Restored in ${seedFile}${sealed ? ", sealed" : ""}.`);
  if (!sealed) warn(unsealedWord(seedFile, program));
  return 0;
}

function report(
  { ok, message, advice, undo }: Awaited<ReturnType<typeof answerScannedCode>>,
  program: ProgramInfo,
): void {
  if (ok) print(advice);
  else warn([message, advice].filter(Boolean).join("\n"));
  if (undo) print(`To undo it within ten minutes: ${undoCommand(undo, program)}`);
}

async function openWallet(call: WalletCommand, program: ProgramInfo): Promise<CommandContext> {
  const { seedFile, account, addressType, trustedHosts } = call;
  const { created, sealed, readableByOthers, ...opened } = await openSeedFile(seedFile, keeper(call));
  if (created) {
    warn(
      `A new wallet was created in ${seedFile}. Its phrase is shown only once. Anyone who has it can sign in to your accounts:\n\n  ${created.phrase}\n`,
    );
    if (!sealed) warn(unsealedWord(seedFile, program));
  }
  if (!sealed && process.env.WALLET_PASSPHRASE) {
    warn(`WALLET_PASSPHRASE is not used: ${seedFile} has no passphrase. Give it one: ${program.name} seal`);
  }
  if (readableByOthers) warn(`Other users can read ${seedFile}. Run: chmod 600 ${seedFile}`);
  const siteRecords = openSiteRecordsFile(seedFile, trustedHosts);
  const { platform } = process;
  return { opened, account, addressType, siteRecords, say: print, platform, version: program.version };
}

function keeper({ unsealed, ownFile }: WalletCommand): SeedFileOptions {
  return { passphrase: createPassphraseSource(process.env), unsealed, unattended: ownFile };
}

function unsealedWord(seedFile: string, { name }: ProgramInfo): string {
  return `${seedFile} is not sealed, so anyone who can read it has these keys. Seal it with a passphrase: ${name} seal`;
}

/** The command contains a URL from the service, so the URL is quoted for the shell. */
function undoCommand(undo: string, { name }: ProgramInfo): string {
  return `${name} undo '${undo.replaceAll("'", "%27")}'`;
}

/** Text from a code or a service cannot control the terminal. */
function print(text: string): void {
  process.stdout.write(`${toVisibleText(text)}\n`);
}

function warn(text: string): void {
  process.stderr.write(`${toVisibleText(text)}\n`);
}

/** RFC 6761. On many systems, only browsers resolve names below `localhost`. */
export function resolveLocalhostNames(): void {
  const { lookup } = dns;
  const lookupLocal = (hostname: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [hostname.endsWith(".localhost") ? "localhost" : hostname, ...rest]);
  dns.lookup = Object.assign(lookupLocal, { __promisify__: lookup.__promisify__ }) as typeof lookup;
}
