import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { helpHint, helpText, UsageError } from "#lib/conformance/command-line.ts";
import { visibleText } from "#lib/conformance/report/visible-text.ts";
import { checkPhrase } from "#lib/wallet/seed.ts";
import { undoLogin } from "#lib/wallet/undo-login.ts";
import { WalletError } from "#lib/wallet/wallet-error.ts";
import packageJson from "../package.json" with { type: "json" };
import { COMMAND_LINE, readArguments, type WalletCall, type WalletOptions } from "./wallet/arguments.ts";
import {
  type AnsweredChallenge,
  type AnsweredFast,
  answerCode,
  answerFastCode,
  type ShownKey,
  showKey,
  type WalletContext,
} from "./wallet/commands.ts";
import { resolveLocalhostNames } from "./wallet/localhost-names.ts";
import { askPhrase, passphraseSource } from "./wallet/passphrase.ts";
import { placesBeside } from "./wallet/places-file.ts";
import {
  openSeedFile,
  restoreSeedFile,
  SeedFileError,
  type SeedFileKeeper,
  sealSeedFile,
} from "./wallet/seed-file.ts";

const repository = resolve(fileURLToPath(import.meta.url), "../..");

resolveLocalhostNames();
process.exitCode = await main(process.argv.slice(2));

/** Runs one call and returns the exit status: 0 on success, 1 otherwise with the message. */
async function main(args: string[]): Promise<0 | 1> {
  const json = args.includes("--json");
  try {
    const call = readArguments(args, {
      env: process.env,
      cwd: process.cwd(),
      defaultSeedFile: resolve(repository, ".data/wallet-seed.json"),
    });
    if (call !== null) return await run(call);
    print(helpText(COMMAND_LINE).trimEnd());
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    warn(message);
    if (error instanceof UsageError) warn(helpHint(COMMAND_LINE));
    if (json) print(JSON.stringify({ ok: false, status: 0, code: codeOf(error), message, advice: "" }));
    return 1;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof WalletError) return error.code;
  if (error instanceof SeedFileError) return "seed_file";
  return error instanceof UsageError ? "usage" : "unexpected";
}

async function run(call: WalletCall): Promise<0 | 1> {
  switch (call.verb) {
    case "show": {
      const key = await showKey(call.domain, await openWallet(call.options));
      printKey(key, call.options.json);
      return 0;
    }
    case "restore": {
      const { seedFile } = call.options;
      const sealed = await restoreSeedFile(seedFile, checkPhrase(await askPhrase()), keeper(call.options));
      print(`Restored in ${seedFile}${sealed ? ", sealed" : ""}.`);
      if (!sealed) warn(unsealedWord(seedFile));
      return 0;
    }
    case "seal":
      await sealSeedFile(call.options.seedFile, keeper(call.options));
      print(`Sealed ${call.options.seedFile}.`);
      return 0;
    case "undo": {
      const result = await undoLogin(call.url);
      (result.ok ? print : warn)(result.advice);
      if (call.options.json) print(JSON.stringify(result));
      return result.ok ? 0 : 1;
    }
    case "fast": {
      const wallet = await openWallet(call.options);
      const answer = await answerFastCode(call.payload, call.options.addressType, wallet);
      printAnswer(answer, call.options.json);
      return answer.ok ? 0 : 1;
    }
    case "login":
    case "register": {
      const answer = await answerCode(call.verb, call.payload, await openWallet(call.options));
      printAnswer(answer, call.options.json);
      return answer.ok ? 0 : 1;
    }
  }
}

async function openWallet(options: WalletOptions): Promise<WalletContext> {
  const { seedFile, account, trustedHosts } = options;
  const { created, sealed, readableByOthers, ...opened } = await openSeedFile(seedFile, keeper(options));
  if (created) {
    warn(
      `A new wallet was made in ${seedFile}. Its phrase, told only this once; whoever has it has your accounts:\n\n  ${created.phrase}\n`,
    );
    if (!sealed) warn(unsealedWord(seedFile));
  }
  if (readableByOthers) warn(`Others can read ${seedFile}: chmod 600 it.`);
  return {
    opened,
    account,
    trustedHosts,
    places: placesBeside(seedFile),
    say: print,
    platform: process.platform,
    version: packageJson.version,
  };
}

function keeper({ unsealed }: WalletOptions): SeedFileKeeper {
  return { passphrase: passphraseSource(process.env), unsealed };
}

function unsealedWord(seedFile: string): string {
  return `${seedFile} is not sealed: whoever can read it has these keys. Seal it with a passphrase: npm run wallet -- seal`;
}

function printKey(key: ShownKey, json: boolean): void {
  print(`Domain       ${key.domain}`);
  print(`Account      ${key.account}`);
  print(`Path         ${key.path}`);
  print(`Public key   ${key.public_key}`);
  print(`Fingerprint  ${key.fingerprint}`);
  if (json) print(JSON.stringify(key));
}

function printAnswer(answer: AnsweredChallenge | AnsweredFast, json: boolean): void {
  const undo = "undo" in answer ? answer.undo : null;
  if (answer.ok) print(answer.advice);
  else warn([answer.message, answer.advice].filter(Boolean).join("\n"));
  if (undo) print(`To sign that browser out, within ten minutes: ${undoCommand(undo)}`);
  if (json) print(JSON.stringify(answer));
}

/** To be copied: the address is the service's, and the shell takes it as one word. */
function undoCommand(undo: string): string {
  return `${COMMAND_LINE.program} undo '${undo.replaceAll("'", "%27")}'`;
}

/** Whatever a code or a service brings along, the terminal obeys nothing of it. */
function print(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}

function warn(text: string): void {
  process.stderr.write(`${visibleText(text)}\n`);
}
