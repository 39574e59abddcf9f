import { join } from "node:path";
import { main } from "@svc/wallet/cli/main";
import packageJson from "../package.json" with { type: "json" };

/** `npm run wallet -- …`: the command-line wallet, with its seed in this repository. */
process.exitCode = await main(process.argv.slice(2), {
  name: "npm run wallet --",
  version: packageJson.version,
  defaultSeedFile: join(import.meta.dirname, "..", ".data", "wallet-seed.json"),
});
