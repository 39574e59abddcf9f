/** Like `URL.parse`, which is newer than the oldest supported browsers (docs/where-it-runs.md#browsers). */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
