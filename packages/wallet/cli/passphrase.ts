import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { UsageError } from "../../terminal/command-line.ts";
import { requireLongPassphrase } from "../sealed-seed.ts";

/** The environment, a user at a terminal, or none. */
export type PassphraseSource = {
  /** Null in a non-interactive run. */
  toOpen: () => Promise<string | null>;
  /** The user types it twice. Null in a non-interactive run. */
  toSeal: () => Promise<string | null>;
};

/**
 * Reads `WALLET_PASSPHRASE`, or otherwise prompts without echo if stdin and stderr are a terminal.
 * @throws UsageError if the two passphrases differ; WalletError if a new passphrase is too short
 */
export function createPassphraseSource(env: NodeJS.ProcessEnv): PassphraseSource {
  const passphrase = env.WALLET_PASSPHRASE;
  if (passphrase)
    return { toOpen: async () => passphrase, toSeal: async () => requireLongPassphrase(passphrase) };
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { toOpen: noPassphrase, toSeal: noPassphrase };
  // A user who has just sealed a file is not asked for the passphrase again.
  let chosen: string | null = null;
  return {
    toOpen: async () => chosen ?? (await ask("Passphrase for the seed file: ", { echo: false })),
    toSeal: async () => {
      const newPassphrase = requireLongPassphrase(
        await ask("New passphrase for the seed file: ", { echo: false }),
      );
      if (newPassphrase !== (await ask("Confirm passphrase: ", { echo: false }))) {
        throw new UsageError("The two passphrases do not match.");
      }
      chosen = newPassphrase;
      return newPassphrase;
    },
  };
}

/** Also reads the first line of piped input. */
export function promptForRecoveryPhrase(): Promise<string> {
  return ask(process.stdin.isTTY ? "The words, in order: " : "", { echo: true });
}

async function ask(question: string, { echo }: { echo: boolean }): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    output: echo && terminal ? process.stderr : silent,
    terminal,
  });
  try {
    const { promise: closed, resolve: atEnd } = Promise.withResolvers<string>();
    lines.once("close", () => atEnd(""));
    return await Promise.race([lines.question(""), closed]);
  } finally {
    lines.close();
    if (!echo) process.stderr.write("\n");
  }
}

async function noPassphrase(): Promise<null> {
  return null;
}
