#!/usr/bin/env node
import { ConfigurationError } from "../site/options.ts";
import { assertNodeVersion } from "../site/read-login-env.ts";

try {
  assertNodeVersion(process.versions.node);
  // `main.ts` imports functions that older versions of Node.js do not have, so it is loaded after the version check.
  const { main } = await import("./main.ts");
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
