import { PageQuery } from "#lib/hosted/contract/page.ts";

/** The page of a list that an address asks for; the first for a cursor that is none. */
export function readPage(search: Record<string, string | string[] | undefined>) {
  const cursor = typeof search.cursor === "string" ? search.cursor : undefined;
  const asked = PageQuery.safeParse({ cursor });
  return asked.success && cursor !== undefined
    ? { page: asked.data, cursor }
    : { page: PageQuery.parse({}), cursor: null };
}
