/** For the oldest supported browsers, which lack `URL.parse` (docs/where-it-runs.md#browsers). */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** In the form that challenges and delegations use: lower-case ASCII letters, digits, hyphens and dots. */
export function isHostName(text: string): boolean {
  return text.length <= 253 && HOST_NAME.test(text);
}

/** RFC 6761 for `localhost` and names that end in `.localhost`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
