import { Resolver } from "node:dns/promises";
import { NO_PUBLIC_ADDRESS_MESSAGE } from "./outbound-policy.ts";

/** Queries DNS without a cache or the hosts file, and with a time limit for each query. */

const QUERY_TIMEOUT_MS = 1_500;
const MAX_TRIES = 2;

/** The message is for the person who chose the host. */
export class NameResolutionError extends Error {
  override name = "NameResolutionError";
}

function resolverOf(nameServers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: MAX_TRIES });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  return resolver;
}

/**
 * IPv4 first. `localhost` and the names below it resolve to loopback without a query (RFC 6761).
 * @throws {NameResolutionError} if the name has no IP address
 */
export async function resolveAddresses(name: string, nameServers: readonly string[]): Promise<string[]> {
  const host = name.replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  const resolver = resolverOf(nameServers);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const reasons = answers.map((answer) => (answer.status === "rejected" ? codeOf(answer.reason) : "ENODATA"));
  const code = reasons.find((reason) => reason !== "ENODATA") ?? "ENODATA";
  throw new NameResolutionError(isAbsent(code) ? NO_PUBLIC_ADDRESS_MESSAGE : `${host}: ${explain(code)}`);
}

/**
 * Joins the parts of each record (RFC 7208, 3.3).
 * @throws {NameResolutionError} if the name servers do not respond
 */
export async function resolveTxt(name: string, nameServers: readonly string[]): Promise<string[]> {
  try {
    const records = await resolverOf(nameServers).resolveTxt(name);
    return records.map((parts) => parts.join(""));
  } catch (error) {
    const code = codeOf(error);
    if (isAbsent(code)) return [];
    throw new NameResolutionError(`${name}: ${explain(code)}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
}

function isAbsent(code: string): boolean {
  return code === "ENODATA" || code === "ENOTFOUND";
}

function explain(code: string): string {
  if (code === "ETIMEOUT" || code === "ECANCELLED") return "the name servers did not answer in time";
  if (code === "ECONNREFUSED") return "the name servers could not be reached";
  if (code === "ESERVFAIL" || code === "EREFUSED") return "the name servers answered with a failure";
  return `the name could not be looked up (${code})`;
}
