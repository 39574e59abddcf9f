import dns from "node:dns";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDomains } from "../../conformance/wallet/hostile-site.ts";
import { runWallet } from "../../conformance/wallet/run-wallet.ts";
import type { WalletCommand } from "../../conformance/wallet/trial.ts";
import { PHRASE } from "../payload.fixture.ts";
import { seedFromPhrase } from "../seed.ts";
import { answerScannedCode } from "./commands.ts";
import { resolveLocalhostNames } from "./main.ts";
import { openSiteRecordsFile } from "./site-records-file.ts";

const SEED = await seedFromPhrase(PHRASE);

/** Runs in this process, because starting a process for each code would take a second. */
function walletIn(folder: string): WalletCommand {
  const file = openSiteRecordsFile(join(folder, "seed.json"), []);
  // The wallet answers one code at a time. On a busy machine, simultaneous checks would wait too long for the lock of
  // the wallet's file.
  let turn = Promise.resolve();
  const inTurn = <Args extends unknown[]>(write: (...args: Args) => Promise<void>) => {
    return (...args: Args) => {
      turn = turn.then(() => write(...args));
      return turn;
    };
  };
  const siteRecords = {
    ...file,
    rememberSite: inTurn(file.rememberSite),
    saveDelegation: inTurn(file.saveDelegation),
    saveSilentSince: inTurn(file.saveSilentSince),
  };
  return async (payload, action) => {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const context = {
      ...{ opened: { seed: SEED.slice(), installation: "00" }, account: 0, addressType: "p2wpkh" as const },
      ...{ siteRecords, say, platform: "linux", version: "9" },
    };
    const { ok, message, advice, undo } = await answerScannedCode(action, payload, context).catch(
      ({ message }: Error) => ({
        ...{ ok: false, message, advice: "", undo: null },
      }),
    );
    return { status: ok ? 0 : 1, output: [...lines, message, advice, undo].join("\n") };
  };
}

test("passes every wallet check of the conformance kit", { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "wallet "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { lookup } = dns;
  onTestFinished(() => {
    dns.lookup = lookup;
  });
  resolveLocalhostNames();
  // Wallets fetch the delegation files of names on this machine at port 80, which might be in use.
  const domains = await openDomains(0);
  onTestFinished(() => domains.close());
  const atPort80 = /(?<=^http:\/\/[^/:]+\.localhost)(?=\/\.well-known)/;
  vi.stubGlobal(
    "fetch",
    (
      (send) => (url: string | URL, init?: RequestInit) =>
        send(String(url).replace(atPort80, `:${domains.port}`), init)
    )(fetch),
  );

  const { results } = await runWallet({
    ...{ command: walletIn(folder), knowsAction: true, holdsVectors: true, domains, lanes: 8 },
    outerName: { domain: "outer-name.test", address: "127.0.0.1" },
  });
  const open = results.filter(({ outcome }) => outcome !== "passed");
  expect(open.map(({ check, outcome, message }) => `${check.id} ${outcome}: ${message}`)).toEqual([]);
});
