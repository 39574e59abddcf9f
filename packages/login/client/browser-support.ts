/** Like `URL.parse`, which is newer than the oldest supported browsers (docs/where-it-runs.md#browsers). */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * Returns a channel to the other tabs of this site, or null if the browser does not support it, or blocks it together
 * with other site data.
 */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
