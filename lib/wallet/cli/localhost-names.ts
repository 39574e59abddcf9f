import dns from "node:dns";

/** Has names below `localhost` lead to this machine (RFC 6761), which many systems leave to the browsers. */
export function resolveLocalhostNames(): void {
  const { lookup } = dns;
  const lookupLocal = (hostname: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [hostname.endsWith(".localhost") ? "localhost" : hostname, ...rest]);
  dns.lookup = Object.assign(lookupLocal, { __promisify__: lookup.__promisify__ }) as typeof lookup;
}
