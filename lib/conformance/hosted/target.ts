/** A hosted API, and the keys that it is called with. */
export type HostedTarget = {
  origin: URL;
  /** What operations stand below: `/v1`, `/sandbox/v1`, or where another API has them. */
  base: string;
  key: string;
  /** A key of another tenant, of the same kind; null leaves out what needs two. */
  otherKey: string | null;
};

/** The two bases of the protocol, by what their keys begin with. */
const BASES: Record<string, string> = { svc_test_: "/sandbox/v1", svc_live_: "/v1" };

/** The base that a key belongs to; null for what is no key. */
export function baseOf(key: string): string | null {
  return BASES[key.slice(0, 9)] ?? null;
}

/** The base of the other kind of key; null where this base is neither of the two. */
export function otherBase(base: string): string | null {
  const bases = Object.values(BASES);
  return bases.includes(base) ? (bases.find((other) => other !== base) ?? null) : null;
}
