import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anyCharacter } from "#tools/kit/any-character.ts";
import { createListPage, formatCursor, PageQuery, parseCursor, readListQuery } from "./page.ts";

const time = fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);

describe("cursors", () => {
  test("are parsed back to their original values", () => {
    fc.assert(
      fc.property(time, id, (at, item) => {
        expect(parseCursor(formatCursor({ at, id: item }))).toEqual({ at, id: item });
      }),
    );
  });

  test("are parsed as null, without throwing, if they are not valid", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const cursor = parseCursor(text);
        if (cursor !== null) expect(formatCursor(cursor)).toBe(text);
      }),
    );
    for (const inside of [
      "",
      " ",
      "2026-01-01 x",
      "2026-13-01T00:00:00.000Z x",
      `${new Date().toISOString()} ' OR 1`,
      "0000-01-01T00:00:00.000Z x",
      "-271821-04-20T00:00:00.000Z x",
    ]) {
      expect(parseCursor(btoa(inside).replaceAll("=", ""))).toBeNull();
    }
  });
});

describe("pages", () => {
  test("have a next page only if there is at least one more row", () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({ id: `x${index}`, createdAt: new Date(index) }));
    expect(createListPage(rows, 3)).toEqual({ items: rows, nextCursor: null });
    expect(createListPage([], 3)).toEqual({ items: [], nextCursor: null });
    const { items, nextCursor } = createListPage(rows, 2);
    expect(items).toHaveLength(2);
    expect(parseCursor(nextCursor ?? "")).toEqual({ at: new Date(1), id: "x1" });
  });

  test("are selected by the parameters in the console's URL, if those are valid", () => {
    const cursor = formatCursor({ at: new Date(5), id: "x1" });
    const schema = PageQuery.extend({ status: z.enum(["pending", "failed"]).optional() });
    expect(readListQuery(schema, { cursor, limit: "100", status: "failed", other: "x" })).toEqual({
      texts: { cursor, status: "failed" },
      query: { limit: 20, cursor: { at: new Date(5), id: "x1" }, status: "failed" },
    });
    for (const search of [{}, { cursor: "x" }, { cursor: [cursor] }, { status: "lost" }]) {
      expect(readListQuery(schema, search)).toEqual({ texts: {}, query: { limit: 20 } });
    }
  });

  test("have 20 items by default and at most 100", () => {
    expect(PageQuery.parse({})).toEqual({ limit: 20 });
    expect(PageQuery.parse({ limit: "100" })).toEqual({ limit: 100 });
    for (const limit of ["0", "101", "-1", "1.5", "x", "", "Infinity", "NaN", "9".repeat(400)]) {
      expect(PageQuery.safeParse({ limit }).success).toBe(false);
    }
  });

  test("accept only decimal digits as the number of items", () => {
    for (const limit of ["1e1", "0x10", "0b1", "+5", " 5", "5 ", "5.0", "5_0", "\t5", "٥", "5n"]) {
      expect(PageQuery.safeParse({ limit }).success).toBe(false);
    }
  });
});
