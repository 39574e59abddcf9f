import { toUnicode } from "./look-alike.ts";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** True for a host name as challenges and delegations carry it: lower-case ASCII letters, digits, hyphens and dots. */
export function isHostName(text: string): boolean {
  return text.length <= 253 && HOST_NAME.test(text);
}

/** True for a host name that is no IP address in any spelling (`0x7f.1`), and whose `xn--` labels stand for letters. */
export function isDnsName(text: string): boolean {
  if (!isHostName(text) || /^[\d.]+$/.test(text)) return false;
  // The URL parser takes `xn--` labels as they are, but judges the letters that it makes them of.
  const written = toUnicode(text);
  return !/(^|\.)xn--/.test(written) && URL.parse(`http://${written}/`)?.hostname === text;
}

/** True for host names that mean this machine by definition (RFC 6761 for `localhost` and below). */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
