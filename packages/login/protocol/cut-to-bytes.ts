/** The beginning of a text that takes at most `bytes` in UTF-8; no character is cut in two. */
export function cutToBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}
