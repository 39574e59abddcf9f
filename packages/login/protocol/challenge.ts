import { NONCE_LENGTH } from "./numbers.ts";

export const ACTIONS = ["login", "register"] as const;
export type Action = (typeof ACTIONS)[number];

/** docs/protocol.md#11-challenge */
export type Challenge = {
  action: Action;
  /** In lower case. */
  domain: string;
  /** In Unix seconds. */
  timestamp: number;
  /** 32 characters of [A-Za-z0-9]. */
  nonce: string;
};

const HOST_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOSTNAME = `${HOST_LABEL}(?:\\.${HOST_LABEL})*`;
const DOMAIN = new RegExp(`^${HOSTNAME}$`);
const CHALLENGE = new RegExp(
  `^svc:(${ACTIONS.join("|")}):(${HOSTNAME}):(0|[1-9][0-9]{0,11}):([A-Za-z0-9]{${NONCE_LENGTH}})$`,
);

export function isAction(value: unknown): value is Action {
  return ACTIONS.some((action) => action === value);
}

/** Challenges can contain lower-case ASCII without a port, or an IPv4 address. */
export function isChallengeDomain(hostname: string): boolean {
  return hostname.length <= 253 && DOMAIN.test(hostname);
}

export function formatChallenge({ action, domain, timestamp, nonce }: Challenge): string {
  return `svc:${action}:${domain}:${timestamp}:${nonce}`;
}

export function parseChallenge(text: string): Challenge | null {
  const match = text.length <= 512 ? CHALLENGE.exec(text) : null;
  if (!match) return null;
  const [, action, domain = "", timestamp, nonce = ""] = match;
  if (!isAction(action) || !isChallengeDomain(domain)) return null;
  return { action, domain, timestamp: Number(timestamp), nonce };
}
