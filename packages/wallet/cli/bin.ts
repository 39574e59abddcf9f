#!/usr/bin/env node
import { homedir } from "node:os";
import { join } from "node:path";
import { WALLET_VERSION } from "../wallet-response.ts";
import { main } from "./main.ts";

/** `npx svc-wallet`, with its seed in the user's home directory. */
process.exitCode = await main(process.argv.slice(2), {
  name: "npx svc-wallet",
  version: WALLET_VERSION,
  defaultSeedFile: join(homedir(), ".svc-wallet", "seed.json"),
});
