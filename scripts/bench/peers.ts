import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../kit/client.ts";
import { execute } from "../kit/database.ts";
import { NEXTAUTH_SECRET } from "../kit/start-app.ts";
import { type RunningServer, startServer } from "../kit/start-server.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { EthereumWallet } from "./ethereum-wallet.ts";
import { buildNextApp, startNext } from "./floor.ts";

/** Another project that does the same work, installed on demand into a folder of its own. */
export type Peer = {
  name: string;
  /** Exact versions; its own dependencies resolve as npm finds them. */
  packages: readonly string[];
  /** Whether it can keep everything in its own memory too. */
  hasMemoryStore: boolean;
  /**
   * Starts it; a login is one whole login until the browser holds a session.
   * @param databaseUrl an empty database, or null to keep everything in memory
   */
  start(
    folder: string,
    databaseUrl: string | null,
  ): Promise<{ server: RunningServer; logIn: () => Promise<void> }>;
};

const SOURCES = join(import.meta.dirname, "peers");

/** The peers of the benchmark. */
export const PEERS: readonly Peer[] = [
  {
    name: "next-auth-pubkey",
    packages: [
      "next-auth-pubkey@1.0.14",
      "next-auth@4.24.15",
      "next@15.5.6",
      "react@19.1.0",
      "react-dom@19.1.0",
      "pg@8.23.1",
    ],
    hasMemoryStore: true,
    async start(folder, databaseUrl) {
      const table = "CREATE TABLE pubkey (k1 text PRIMARY KEY, data jsonb NOT NULL)";
      if (databaseUrl) await execute(databaseUrl, table);
      const packages = join(folder, "node_modules");
      await buildNextApp({ source: join(SOURCES, "next-auth-pubkey"), folder, packages });
      const server = await startNext(packages, folder, "/", variablesOf(databaseUrl));
      const wallet = new TestWallet();
      return { server, logIn: () => logInByLnurlOauth(server.url, wallet) };
    },
  },
  {
    name: "passport-lnurl-auth",
    packages: [
      "passport-lnurl-auth@1.6",
      "passport@0.7",
      "express@4",
      "express-session@1",
      "connect-pg-simple@10",
      "pg@8.23.1",
    ],
    hasMemoryStore: true,
    async start(folder, databaseUrl) {
      const table = "CREATE TABLE k1 (k1 text PRIMARY KEY, sid text NOT NULL)";
      if (databaseUrl) await execute(databaseUrl, table);
      const server = await startNodeServer(folder, "passport-lnurl-auth", databaseUrl, "/");
      const wallet = new TestWallet();
      return { server, logIn: () => logInByLnurlPage(server.url, wallet) };
    },
  },
  {
    name: "better-auth",
    packages: ["better-auth@1.4.10", "viem@2", "pg@8.23.1"],
    hasMemoryStore: false,
    async start(folder, databaseUrl) {
      const server = await startNodeServer(folder, "better-auth", databaseUrl, "/api/auth/ok");
      const wallet = new EthereumWallet();
      // Its nonces are the address's, not the browser's: each login at once needs a wallet of its own.
      const idle: EthereumWallet[] = [wallet];
      return {
        server,
        async logIn() {
          const own = idle.pop() ?? new EthereumWallet();
          await logInByEthereum(server.url, own);
          idle.push(own);
        },
      };
    },
  },
];

/** Installs a peer's packages into its folder unless they stand there. Needs npm and a registry. */
export async function installPeer({ name, packages }: Peer, folder: string): Promise<void> {
  const stamp = join(folder, "installed");
  const wanted = packages.join("\n");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: `peer-${name}`, private: true }));
  const child = spawn("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`npm install of ${name} failed`))));
  });
  writeFileSync(stamp, wanted);
}

function startNodeServer(folder: string, name: string, databaseUrl: string | null, path: string) {
  cpSync(join(SOURCES, name), folder, { recursive: true });
  return startServer({
    args: ["server.mjs"],
    cwd: folder,
    ready: { path },
    env: (url) => ({ APP_URL: url, ...variablesOf(databaseUrl) }),
  });
}

function variablesOf(databaseUrl: string | null): Record<string, string> {
  return { NEXTAUTH_SECRET, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
}

/** next-auth-pubkey: token, sign-in, create, the wallet's callback, poll, OAuth callback. */
async function logInByLnurlOauth(url: string, wallet: TestWallet): Promise<void> {
  const browser = new Client(url);
  const { csrfToken } = JSON.parse((await browser.expect(200, "/api/auth/csrf")).body);
  const signIn = await browser.expect(200, "/api/auth/signin/lightning", {
    form: { csrfToken, json: "true" },
  });
  const page = new URL(JSON.parse(signIn.body).url);
  const state = page.searchParams.get("state") ?? "";
  const { k1 } = JSON.parse((await browser.expect(200, "/api/pubkey/create", { form: { state } })).body);
  const signed = new URLSearchParams({
    tag: "login",
    k1,
    sig: wallet.signDigest(Buffer.from(k1, "hex")),
    key: wallet.compressedKey,
  });
  await new Client(url).expect(200, `/api/pubkey/callback?${signed}`);
  const { success } = JSON.parse((await browser.expect(200, "/api/pubkey/poll", { form: { k1 } })).body);
  if (!success) throw new Error("next-auth-pubkey: the poll does not say success");
  await browser.expect(302, `/api/auth/callback/lightning?${new URLSearchParams({ state, code: k1 })}`);
  if (!browser.cookies.has("next-auth.session-token")) throw new Error("next-auth-pubkey: no session");
}

/** passport-lnurl-auth: the page with its code, the wallet's callback, the page's refresh. */
async function logInByLnurlPage(url: string, wallet: TestWallet): Promise<void> {
  const browser = new Client(url);
  const { body } = await browser.expect(200, "/login");
  const k1 = k1OfPage(body);
  const signed = new URLSearchParams({
    tag: "login",
    k1,
    sig: wallet.signDigest(Buffer.from(k1, "hex")),
    key: wallet.compressedKey,
  });
  await new Client(url).expect(200, `/login?${signed}`);
  await browser.expect(302, "/login");
}

/** Decodes the LNURL (bech32 of the callback's URL) that stands in the page. */
function k1OfPage(html: string): string {
  const words = /LNURL1([02-9AC-HJ-NP-Z]+)/.exec(html)?.[1]?.slice(0, -6) ?? "";
  const bits = [...words].map((letter) => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".indexOf(letter));
  let value = 0;
  let size = 0;
  let text = "";
  for (const five of bits) {
    value = ((value << 5) | five) & 0xfff;
    size += 5;
    if (size >= 8) {
      size -= 8;
      text += String.fromCharCode((value >> size) & 0xff);
    }
  }
  return new URL(text.slice(0, text.lastIndexOf("login") + 5)).searchParams.get("k1") ?? "";
}

/** better-auth's SIWE: nonce, verification. */
async function logInByEthereum(url: string, wallet: EthereumWallet): Promise<void> {
  const browser = new Client(url);
  const origin = { Origin: url };
  const walletAddress = wallet.address;
  const answer = await browser.expect(200, "/api/auth/siwe/nonce", {
    json: { walletAddress },
    headers: origin,
  });
  const { nonce } = JSON.parse(answer.body);
  const message = `localhost wants you to sign in with your Ethereum account:\n${walletAddress}\n\nNonce: ${nonce}`;
  const json = { message, signature: wallet.signMessage(message), walletAddress };
  await browser.expect(200, "/api/auth/siwe/verify", { json, headers: origin });
  if (browser.cookies.size === 0) throw new Error("better-auth: no session");
}
