import { cpSync } from "node:fs";
import { join } from "node:path";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32 } from "@scure/base";
import { Client } from "../kit/client.ts";
import { execute } from "../kit/database.ts";
import { NEXTAUTH_SECRET } from "../kit/start-app.ts";
import { type RunningServer, startServer } from "../kit/start-server.ts";
import { Key, TestWallet } from "../kit/test-wallet.ts";
import { withOwn } from "./measure.ts";
import { startNextApp } from "./next-app.ts";

/** Another project that signs people in, installed on demand into a separate folder. */
type Peer = {
  name: string;
  /** Exact versions; its own dependencies resolve as npm finds them. */
  packages: readonly string[];
  /** Whether it can also keep everything in memory. */
  hasMemoryStore: boolean;
  /** A table that its database needs. */
  table?: string;
  start(folder: string, variables: Record<string, string>): Promise<RunningServer>;
  /** Returns a function that makes a whole login, until the browser holds a session. */
  logIn(url: string): () => Promise<void>;
};

const SOURCES = join(import.meta.dirname, "peers");
const PG = "pg@8.23.1";

export const PEERS: readonly Peer[] = [
  {
    name: "next-auth-pubkey",
    packages: [
      ...["next-auth-pubkey@1.0.14", "next-auth@4.24.15", "next@15.5.6"],
      ...["react@19.1.0", "react-dom@19.1.0", PG],
    ],
    hasMemoryStore: true,
    table: "pubkey (k1 text PRIMARY KEY, data jsonb NOT NULL)",
    start: (folder, variables) =>
      startNextApp(
        {
          source: join(SOURCES, "next-auth-pubkey"),
          folder,
          packages: join(folder, "node_modules"),
          path: "/",
        },
        variables,
      ),
    logIn: (url) => withOwn(newTestWallet, (wallet) => logInByLnurlOauth(url, wallet)),
  },
  {
    name: "passport-lnurl-auth",
    packages: [
      ...["passport-lnurl-auth@1.6", "passport@0.7", "express@4", "express-session@1"],
      ...["connect-pg-simple@10", PG],
    ],
    hasMemoryStore: true,
    table: "k1 (k1 text PRIMARY KEY, sid text NOT NULL)",
    start: (folder, variables) => startNodeServer(folder, "passport-lnurl-auth", variables, "/"),
    logIn: (url) => withOwn(newTestWallet, (wallet) => logInByLnurlPage(url, wallet)),
  },
  {
    name: "better-auth",
    packages: ["better-auth@1.4.10", "viem@2", PG],
    hasMemoryStore: false,
    start: (folder, variables) => startNodeServer(folder, "better-auth", variables, "/api/auth/ok"),
    logIn: (url) =>
      withOwn(
        () => new EthereumWallet(),
        (wallet) => logInByEthereum(url, wallet),
      ),
  },
];

/**
 * Starts a peer that is installed in a folder.
 * @param databaseUrl an empty database, or null to keep everything in memory
 */
export async function startPeer(peer: Peer, folder: string, databaseUrl: string | null) {
  if (databaseUrl && peer.table) await execute(databaseUrl, `CREATE TABLE ${peer.table}`);
  return peer.start(folder, { NEXTAUTH_SECRET, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
}

function startNodeServer(folder: string, name: string, variables: Record<string, string>, path: string) {
  cpSync(join(SOURCES, name), folder, { recursive: true });
  return startServer({
    args: ["server.mjs"],
    cwd: folder,
    ready: { path },
    env: (url) => ({ APP_URL: url, ...variables }),
  });
}

const newTestWallet = () => new TestWallet();

/** The parameters that a wallet adds to a LNURL (LUD-04). */
function lnurlAnswer(k1: string, wallet: TestWallet): URLSearchParams {
  const sig = wallet.signDigest(Buffer.from(k1, "hex"));
  return new URLSearchParams({ tag: "login", k1, sig, key: wallet.compressedKey });
}

/** next-auth-pubkey: token, sign-in, create, the wallet's callback, poll, OAuth callback. */
async function logInByLnurlOauth(url: string, wallet: TestWallet): Promise<void> {
  const browser = new Client(url);
  const { csrfToken } = JSON.parse((await browser.expect(200, "/api/auth/csrf")).body);
  const form = { csrfToken, json: "true" };
  const signIn = await browser.expect(200, "/api/auth/signin/lightning", { form });
  const state = new URL(JSON.parse(signIn.body).url).searchParams.get("state") ?? "";
  const { k1 } = JSON.parse((await browser.expect(200, "/api/pubkey/create", { form: { state } })).body);
  await new Client(url).expect(200, `/api/pubkey/callback?${lnurlAnswer(k1, wallet)}`);
  const { success } = JSON.parse((await browser.expect(200, "/api/pubkey/poll", { form: { k1 } })).body);
  if (!success) throw new Error("next-auth-pubkey: the poll does not say success");
  await browser.expect(302, `/api/auth/callback/lightning?${new URLSearchParams({ state, code: k1 })}`);
  if (!browser.cookies.has("next-auth.session-token")) throw new Error("next-auth-pubkey: no session");
}

/** passport-lnurl-auth: the page with its code, the wallet's callback, the page's refresh. */
async function logInByLnurlPage(url: string, wallet: TestWallet): Promise<void> {
  const browser = new Client(url);
  const { body } = await browser.expect(200, "/login");
  const lnurl = /LNURL1[02-9AC-HJ-NP-Z]+/.exec(body)?.[0] ?? "";
  const callback = new URL(Buffer.from(bech32.decodeToBytes(lnurl, false).bytes).toString());
  const k1 = callback.searchParams.get("k1") ?? "";
  await new Client(url).expect(200, `/login?${lnurlAnswer(k1, wallet)}`);
  await browser.expect(302, "/login");
}

/** better-auth's SIWE: nonce, verification. Its nonces belong to an address, not to a browser. */
async function logInByEthereum(url: string, wallet: EthereumWallet): Promise<void> {
  const browser = new Client(url);
  const headers = { Origin: url };
  const { address: walletAddress } = wallet;
  const asked = await browser.expect(200, "/api/auth/siwe/nonce", { json: { walletAddress }, headers });
  const { nonce } = JSON.parse(asked.body);
  const message = `localhost wants you to sign in with your Ethereum account:\n${walletAddress}\n\nNonce: ${nonce}`;
  const json = { message, signature: wallet.signMessage(message), walletAddress };
  await browser.expect(200, "/api/auth/siwe/verify", { json, headers });
  if (browser.cookies.size === 0) throw new Error("better-auth: no session");
}

class EthereumWallet {
  readonly #key = new Key();
  readonly address = ethereumAddress(this.#key.point(false));

  /** An EIP-191 signature of a text (hex). */
  signMessage(text: string): string {
    const bytes = Buffer.from(text);
    const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`);
    const { signature, recid } = this.#key.sign(keccak_256(Buffer.concat([prefix, bytes])));
    return `0x${Buffer.from(signature).toString("hex")}${(27 + recid).toString(16)}`;
  }
}

/** The checksummed address (EIP-55) of an uncompressed public key. */
function ethereumAddress(publicKey: Uint8Array): string {
  const address = Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString("hex");
  const hash = Buffer.from(keccak_256(Buffer.from(address))).toString("hex");
  const checked = [...address].map((digit, at) => ((hash[at] ?? "0") >= "8" ? digit.toUpperCase() : digit));
  return `0x${checked.join("")}`;
}
