import { resolve } from "node:path";
import { type CommandLine, readCommandLine, readNumber, UsageError } from "../../terminal/command-line.ts";
import { ADDRESS_TYPES, type AddressType } from "../bitcoin-address.ts";
import { isAllowedUndoUrl } from "../undo-login.ts";
import { isHostName } from "../url.ts";

export type WalletCommand = {
  verb: "login" | "register" | "fast" | "show" | "undo" | "restore" | "seal";
  /** The text of a code, a domain for `show`, or a URL for `undo`; "" if there is none. */
  subject: string;
  /** Absolute path. */
  seedFile: string;
  /** Create a new seed file without a passphrase. */
  unsealed: boolean;
  /** The command names the seed file. A non-interactive run then creates a new file without a passphrase. */
  ownFile: boolean;
  account: number;
  /** Host names of hosted APIs that may receive answers for other domains. */
  trustedHosts: string[];
  json: boolean;
  addressType: AddressType;
};

export type CommandEnvironment = {
  env: Record<string, string | undefined>;
  cwd: string;
  program: ProgramInfo;
};

/** `name` is the command that the user types. */
export type ProgramInfo = { name: string; version: string; defaultSeedFile: string };

export const createCommandLine = ({ name, defaultSeedFile }: ProgramInfo) =>
  ({
    program: name,
    about: "Sign in with a wallet on the command line.",
    commands: {
      login: { takes: "'<payload>'", does: "answer a login code" },
      register: { takes: "'<payload>'", does: "answer a register code: create an account with this wallet" },
      fast: { takes: "'<qr url>'", does: "answer a fast login code with a Bitcoin address" },
      undo: { takes: "'<url>'", does: "sign out the browser that an answer signed in, within ten minutes" },
      show: { takes: "DOMAIN", does: "the key for a domain: public key, fingerprint, path" },
      restore: {
        does: "create the seed file from your words; type or pipe them in, never pass them as arguments",
      },
      seal: { does: "add a passphrase to a seed file that has none" },
    },
    options: {
      "seed-file": {
        value: "F",
        does: `key store, created with a new phrase on first use (default: ${defaultSeedFile})`,
      },
      unsealed: { does: "make a new seed file without a passphrase: for CI and demonstrations" },
      account: { value: "N", default: "0", does: "account number on the domain, or of the address" },
      "address-type": {
        value: "T",
        default: ADDRESS_TYPES[0],
        does: `kind of address that fast signs with: ${ADDRESS_TYPES.join(", ")}`,
      },
      trust: {
        value: "HOST",
        multiple: true,
        does: "also send answers to this hosted API, even if the site does not name it; repeatable",
      },
      json: { does: "print one JSON object on the last line" },
    },
    notes: `<payload> is the text of the QR code: "Copy link" on the login page. Quote it.

If the answer would go to a host other than the site's, the wallet asks the site whether that host may receive it:
https://DOMAIN/.well-known/svc-login.

Environment
  WALLET_PASSPHRASE      opens and seals the seed file, instead of the prompt
  WALLET_TRUSTED_HOSTS   hosts to trust, comma-separated
  APP_URL                its host is trusted, as is localhost: this repository's own hosted API

Exit status: 0 when the site accepted the answer, 1 otherwise.`,
  }) as const satisfies CommandLine;

/**
 * @returns null if they ask for help
 * @throws {UsageError}
 */
export function parseArguments(args: readonly string[], site: CommandEnvironment): WalletCommand | null {
  const call = readCommandLine(createCommandLine(site.program), args);
  if (call === null) return null;
  const { command: verb, values, subjects } = call;
  const [subject = ""] = subjects;
  if (verb === "undo" && !isAllowedUndoUrl(subject)) {
    throw new UsageError("undo takes the https URL that the login printed.");
  }
  const { unsealed, json } = values;
  return {
    ...{ verb, unsealed, json, subject: verb === "show" ? hostname(subject) : subject },
    seedFile: seedFile(values["seed-file"], site),
    ownFile: values["seed-file"] !== undefined,
    account: readNumber("account", values.account, { most: 0xffff_ffff, whole: true }),
    trustedHosts: trustedHosts(values.trust, site.env),
    addressType: addressType(values["address-type"]),
  };
}

/**
 * A relative path is relative to the user's current folder, even under `npm run`, which changes to the repository's
 * folder.
 */
function seedFile(file: string | undefined, { env, cwd, program }: CommandEnvironment): string {
  if (file === undefined) return program.defaultSeedFile;
  if (file === "") throw new UsageError("--seed-file takes the path of a file.");
  const start = env.npm_lifecycle_event === "wallet" ? (env.INIT_CWD ?? cwd) : cwd;
  return resolve(start, file);
}

function addressType(text: string): AddressType {
  const matchingType = ADDRESS_TYPES.find((type) => type === text.toLowerCase());
  if (!matchingType) throw new UsageError(`--address-type takes ${ADDRESS_TYPES.join(", ")}.`);
  return matchingType;
}

function trustedHosts(trusted: string[], env: CommandEnvironment["env"]): string[] {
  const listed = (env.WALLET_TRUSTED_HOSTS ?? "").split(",").map((host) => host.trim());
  const appHosts = env.APP_URL && URL.canParse(env.APP_URL) ? [new URL(env.APP_URL).hostname] : [];
  const hosts = [...trusted, ...listed.filter((host) => host !== "")].map(hostname);
  return [...new Set(["localhost", ...appHosts, ...hosts])];
}

/** In the form that challenges use: lower case, international names in ASCII. */
function hostname(text: string): string {
  const url =
    /^[^\s/:@?#\\%]+$/.test(text) && URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null;
  if (!url || !isHostName(url.hostname)) {
    throw new UsageError("A host is a bare name like example.com: no scheme, port or path.");
  }
  return url.hostname;
}
