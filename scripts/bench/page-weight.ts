import { gzipSync } from "node:zlib";

/** Bytes (gzip) of the scripts that a page names in its HTML, those for old browsers left out. */
export async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text();
  const tags = html.match(/<script[^>]*\ssrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags
    .filter((tag) => !/\snomodule/i.test(tag))
    .map((tag) => /\ssrc="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "");
  let bytes = 0;
  for (const source of new Set(sources)) {
    const response = await fetch(new URL(source, url));
    bytes += gzipSync(Buffer.from(await response.arrayBuffer())).length;
  }
  return bytes;
}
