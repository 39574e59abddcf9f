import { ConfigurationError } from "#lib/platform/env-values.ts";

/** `engines` of the package and of the templates says the same. */
const OLDEST = "22.18";

/**
 * Refuses a Node.js that lacks what the login calls. It would start, and fail at the first request.
 * @param version such as `22.18.0`
 * @throws {ConfigurationError} with the version that is needed
 */
export function assertNode(version: string): void {
  if (version.localeCompare(OLDEST, "en", { numeric: true }) >= 0) return;
  throw new ConfigurationError(
    `Node.js ${OLDEST} or newer is needed, and this is ${version} (${process.execPath}).`,
  );
}
