/** Does what `URL.parse` does, which the oldest supported browsers lack (docs/where-it-runs.md#browsers). */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Returns null if the browser does not support channels or blocks them. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
