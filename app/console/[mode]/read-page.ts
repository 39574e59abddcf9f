import { PageQuery } from "#lib/hosted/contract/page.ts";

/** The page of a list that an address asks for. An invalid cursor gives the first page. */
export function readPage(search: Record<string, string | string[] | undefined>) {
  const cursor = typeof search.cursor === "string" ? search.cursor : undefined;
  const asked = PageQuery.safeParse({ cursor });
  return asked.success && cursor !== undefined
    ? { page: asked.data, cursor }
    : { page: PageQuery.parse({}), cursor: null };
}
