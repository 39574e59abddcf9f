import { z } from "zod";

/** The position after a page's last item. */
type Cursor = { at: Date; id: string };

/** Opaque to callers. */
export function formatCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString("base64url");
}

/** Null if the text does not come from `formatCursor`. */
export function parseCursor(text: string): Cursor | null {
  const [time = "", id = ""] = Buffer.from(text, "base64url").toString().split(" ");
  const at = new Date(time);
  // No item is older than 1970, and the database does not support all years that JavaScript can represent.
  if (!(at.getTime() >= 0) || !/^[A-Za-z0-9_-]{1,100}$/.test(id)) return null;
  return formatCursor({ at, id }) === text ? { at, id } : null;
}

const LIMIT_EXPECTED = "expected a whole number, 1 to 100";

/** `cursor` is the previous page's `next_cursor`. */
export const PageQuery = z.object({
  limit: z
    .preprocess(
      // Coercion would also accept 1e1, 0x10 and spaces.
      (text) => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text),
      z.int(LIMIT_EXPECTED).min(1, LIMIT_EXPECTED).max(100, LIMIT_EXPECTED).default(20),
    )
    .describe("The number of items on a page."),
  cursor: z
    .string()
    .transform((text, context) => {
      const cursor = parseCursor(text);
      if (cursor) return cursor;
      context.addIssue({ code: "custom", message: "expected the next_cursor of the page before" });
      return z.NEVER;
    })
    .optional()
    .describe("The `next_cursor` of the previous page."),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** Returns them both as text and parsed. Ignores invalid parameters and uses the default number of items. */
export function readListQuery<Query extends z.ZodObject>(
  schema: Query,
  search: Record<string, string | string[] | undefined>,
): { texts: Record<string, string>; query: z.output<Query> } {
  const texts: Record<string, string> = {};
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    const text = search[name];
    if (name !== "limit" && typeof text === "string" && field.safeParse(text).success) texts[name] = text;
  }
  return { texts, query: schema.parse(texts) };
}

/** Null on the last page. */
export const NextCursor = z
  .string()
  .nullable()
  .describe("The `cursor` of the next page; null on the last page.")
  .meta({ examples: [null] });

/** Newest first. Empty for the first page. */
export function whereAfterCursor<Id extends string = "id">(cursor: Cursor | undefined, id = "id" as Id) {
  if (!cursor) return {};
  const sameMoment = { [id]: { lt: cursor.id } } as Record<Id, { lt: string }>;
  return { OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, ...sameMoment }] };
}

/**
 * The extra row shows whether there is a next page.
 * @param rows at most `limit + 1`, newest first
 */
export function createListPage<Row extends { id: string; createdAt: Date }>(
  rows: Row[],
  limit: number,
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > limit && last ? formatCursor({ at: last.createdAt, id: last.id }) : null,
  };
}
