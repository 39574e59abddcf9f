/** True for hosts that are this machine by their name: an API there reaches what the kit listens on. */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}
