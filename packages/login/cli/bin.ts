#!/usr/bin/env node
import { ConfigurationError } from "../site/options.ts";
import { assertNodeVersion } from "../site/read-login-env.ts";

try {
  assertNodeVersion(process.versions.node);
  // The commands import functions that an older Node.js does not have.
  const { main } = await import("./main.ts");
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
