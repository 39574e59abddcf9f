import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isHostName } from "#lib/delegation/host-name.ts";
import { ADDRESS_TYPES, type AddressType } from "#lib/wallet/derive-address.ts";

/** One call of the command-line wallet, understood. */
export type WalletCall =
  | { verb: "help" }
  | { verb: "login" | "register" | "fast"; payload: string; options: WalletOptions }
  | { verb: "show"; domain: string; options: WalletOptions }
  | { verb: "restore" | "seal"; options: WalletOptions };

export type WalletOptions = {
  /** Absolute path. */
  seedFile: string;
  /** A new seed file is made without a passphrase. */
  unsealed: boolean;
  account: number;
  /** Host names of hosted APIs that may take answers for other domains. */
  trustedHosts: string[];
  json: boolean;
  /** With which address `fast` signs. */
  addressType: AddressType;
};

/** Where the call is made: what is not on the command line. */
export type CallSite = { env: Record<string, string | undefined>; cwd: string; defaultSeedFile: string };

/** The call cannot be understood; `message` says what is wrong. */
export class UsageError extends Error {}

export const HELP = `Sign in with a wallet on the command line.

  wallet login '<payload>'      answer a login code
  wallet register '<payload>'   answer a register code: make an account with this wallet
  wallet fast '<qr url>'        answer a fast login code with a Bitcoin address
  wallet show DOMAIN            the key of a domain: public key, fingerprint, path
  wallet restore                make the seed file from your words, typed or piped in
  wallet seal                   put a passphrase on a seed file that has none

  <payload> is the text of the QR code: "Copy link" on the login page. Quote it.

  Where the answer would go to another host than the site's, the wallet asks the site whether that host may take
  it: https://DOMAIN/.well-known/svc-login.

Options
  --seed-file F   key store (default: .data/wallet-seed.json; made with a new phrase on first use)
  --unsealed      make a new seed file without a passphrase: for CI and demonstrations
  --account N     account number on the domain, or of the address (default: 0)
  --address-type T
                  address that fast signs with: p2wpkh (default), p2sh-p2wpkh or p2pkh
  --trust HOST    also send answers to this hosted API, whatever the site says; repeatable
  --json          print one JSON object on the last line
  --help          this text

Environment
  WALLET_PASSPHRASE      opens and seals the seed file, instead of the prompt
  WALLET_TRUSTED_HOSTS   hosts to trust, comma-separated
  APP_URL                its host is trusted, as is localhost: this repository's own hosted API

Exit status: 0 when the site accepted the answer, 1 otherwise.`;

/**
 * Understands the arguments of `wallet`.
 * @throws UsageError
 */
export function readArguments(args: readonly string[], site: CallSite): WalletCall {
  const { values, positionals } = parse(args);
  const [verb, subject, ...rest] = positionals;
  if (values.help || verb === "help") return { verb: "help" };
  if (!verb) throw new UsageError("Say what to do: login, register, fast, show, restore or seal.");
  const options: WalletOptions = {
    seedFile: seedFile(values["seed-file"], site),
    unsealed: values.unsealed ?? false,
    account: account(values.account),
    trustedHosts: trustedHosts(values.trust ?? [], site.env),
    json: values.json ?? false,
    addressType: addressType(values["address-type"]),
  };
  if (verb === "restore" || verb === "seal") {
    if (subject === undefined) return { verb, options };
    throw new UsageError(
      `wallet ${verb} takes no argument: what is secret does not belong on a command line.`,
    );
  }
  if (verb !== "login" && verb !== "register" && verb !== "fast" && verb !== "show") {
    throw new UsageError("The wallet knows login, register, fast, show, restore and seal.");
  }
  if (!subject || rest.length > 0) {
    const needed = verb === "show" ? "one domain" : "one payload: put it in quotes";
    throw new UsageError(`wallet ${verb} takes ${needed}.`);
  }
  return verb === "show" ? { verb, domain: hostname(subject), options } : { verb, payload: subject, options };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "seed-file": { type: "string" },
        unsealed: { type: "boolean" },
        account: { type: "string" },
        "address-type": { type: "string" },
        trust: { type: "string", multiple: true },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** A relative path starts where the person stands, also under `npm run`, which moves to the repository. */
function seedFile(given: string | undefined, { env, cwd, defaultSeedFile }: CallSite): string {
  if (given === undefined) return defaultSeedFile;
  if (given === "") throw new UsageError("--seed-file takes the path of a file.");
  const start = env.npm_lifecycle_event === "wallet" ? (env.INIT_CWD ?? cwd) : cwd;
  return resolve(start, given);
}

function account(given = "0"): number {
  const number = Number(given);
  if (!/^[0-9]{1,10}$/.test(given) || number > 0xffff_ffff) {
    throw new UsageError("--account takes a whole number from 0 to 4294967295.");
  }
  return number;
}

function addressType(given: string = ADDRESS_TYPES[0]): AddressType {
  const known = ADDRESS_TYPES.find((type) => type === given.toLowerCase());
  if (!known) throw new UsageError(`--address-type takes ${ADDRESS_TYPES.join(", ")}.`);
  return known;
}

function trustedHosts(given: string[], env: CallSite["env"]): string[] {
  const listed = (env.WALLET_TRUSTED_HOSTS ?? "").split(",").map((host) => host.trim());
  const own = env.APP_URL && URL.canParse(env.APP_URL) ? [new URL(env.APP_URL).hostname] : [];
  const hosts = [...given, ...listed.filter((host) => host !== "")].map(hostname);
  return [...new Set(["localhost", ...own, ...hosts])];
}

/** A host name in the form that challenges carry: lower case, international names in ASCII. */
function hostname(given: string): string {
  const url =
    /^[^\s/:@?#\\%]+$/.test(given) && URL.canParse(`https://${given}`) ? new URL(`https://${given}`) : null;
  if (!url || !isHostName(url.hostname)) {
    throw new UsageError("A host is a bare name like example.com: no scheme, port or path.");
  }
  return url.hostname;
}
