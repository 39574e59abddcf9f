/**
 * A channel to the other tabs of this site. Null if the browser does not support it, or blocks it with other site
 * data.
 */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
