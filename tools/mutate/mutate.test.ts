import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findSqlChanges } from "./change-sql.ts";
import { MUTATED_FILES, MUTATED_SQL } from "./files.ts";

/** Returns each change of a text as `original → replacement`, in one line. */
function changes(sql: string): string[] {
  return findSqlChanges(sql).map(({ original, replacement }) =>
    `${original} → ${replacement}`.replace(/\s+/g, " ").trim(),
  );
}

test("makes each condition always true, or always false if only OR joins it", () => {
  expect(
    changes("SELECT 1 FROM a JOIN b ON a.id = b.id WHERE x = $1::text AND (y IS NULL OR z) AND NOT w"),
  ).toEqual([
    "a.id = b.id → (true OR a.id = b.id)",
    "x = $1::text AND (y IS NULL OR z) AND NOT w → false AND ( x = $1::text AND (y IS NULL OR z) AND NOT w)",
    "x = $1::text → (true OR x = $1::text)",
    "(y IS NULL OR z) → (true OR (y IS NULL OR z))",
    "y IS NULL → (false AND y IS NULL)",
    "z → (false AND z)",
    "NOT w → (true OR NOT w)",
  ]);
});

test("parses DISTINCT FROM, subqueries and CASE in a condition", () => {
  const found = changes(
    "SELECT CASE WHEN a.x THEN 1 ELSE 2 END FROM a WHERE b IS NOT DISTINCT FROM c AND EXISTS (SELECT 1 FROM d WHERE e) ORDER BY f",
  );
  expect(found).toContain("a.x → (true OR a.x)");
  expect(found).toContain("b IS NOT DISTINCT FROM c → (true OR b IS NOT DISTINCT FROM c)");
  expect(found).toContain("EXISTS (SELECT 1 FROM d WHERE e) → (true OR EXISTS (SELECT 1 FROM d WHERE e))");
  expect(found).toContain("e → false AND ( e)");
  expect(found).toHaveLength(6);
});

test("changes comparison operators and drops row locks", () => {
  expect(changes("SELECT id FROM a WHERE at < $1 FOR UPDATE OF a, b")).toEqual([
    "at < $1 → false AND ( at < $1)",
    "at < $1 → (true OR at < $1)",
    "< → <=",
    "FOR UPDATE OF a, b →",
  ]);
  expect(changes("SELECT id FROM a FOR NO KEY UPDATE")).toEqual(["FOR NO KEY UPDATE →"]);
});

test("makes a write without a WHERE clause affect no rows", () => {
  expect(changes("x AS (INSERT INTO a (b) SELECT c FROM d RETURNING 1)")).toEqual(["→ WHERE false"]);
  expect(changes("x AS (INSERT INTO a (b, c) VALUES ($1::int, f(d, 'it''s')) RETURNING 1)")).toEqual([
    "VALUES ($1::int, f(d, 'it''s')) → SELECT $1::int, f(d, 'it''s') WHERE false",
  ]);
  const source = "INSERT INTO a SELECT b FROM c ON CONFLICT (b) DO NOTHING RETURNING 1";
  const [{ start = 0 } = {}] = findSqlChanges(source);
  expect(source.slice(0, start)).toMatch(/FROM c$/);
});

test("replaces an assigned value with the column's current value", () => {
  expect(changes("x AS (UPDATE a SET b = $1::int, c = COALESCE(d, e) FROM f)")).toEqual([
    "$1::int → CASE WHEN true THEN a.b ELSE $1::int END",
    "COALESCE(d, e) → CASE WHEN true THEN a.c ELSE COALESCE(d, e) END",
    "→ WHERE false",
  ]);
  expect(changes("INSERT INTO a AS t (b) SELECT 1 ON CONFLICT (b) DO UPDATE SET b = excluded.b")).toContain(
    "excluded.b → CASE WHEN true THEN t.b ELSE excluded.b END",
  );
});

test("ignores comments when it counts lines", () => {
  expect(changes("SELECT 1 -- WHERE a AND b < c\n FROM d")).toEqual([]);
  expect(findSqlChanges("SELECT 1 FROM c;\n-- a\nSELECT 1\n  WHERE e")).toMatchObject([
    { line: 4, original: " e" },
    { line: 4, original: "e" },
  ]);
});

test("changes the conditions and the writes of a SQL function", () => {
  const source = `CREATE FUNCTION f(a int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE t SET b = a WHERE c > a;
  IF NOT FOUND OR a IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO u (d) VALUES (a);
  RETURN true;
END $$;`;
  const found = findSqlChanges(source).map(({ original, replacement }) =>
    `${original} → ${replacement}`.replace(/\s+/g, " ").trim(),
  );
  expect(found).toEqual([
    "a → CASE WHEN true THEN t.b ELSE a END",
    "c > a → false AND ( c > a)",
    "c > a → (true OR c > a)",
    "> → >=",
    "NOT FOUND → (false AND NOT FOUND)",
    "a IS NULL → (false AND a IS NULL)",
    "VALUES (a) → SELECT a WHERE false",
  ]);
});

test("does not split a CASE or a RETURN of a SQL function", () => {
  const source = "BEGIN INSERT INTO t VALUES (CASE WHEN a THEN b ELSE c END, d); RETURN e AND NOT f; END";
  const found = findSqlChanges(source).map(({ original, replacement }) => `${original} → ${replacement}`);
  expect(found).toEqual([
    "VALUES (CASE WHEN a THEN b ELSE c END, d) → SELECT CASE WHEN a THEN b ELSE c END, d WHERE false",
    "a → (true OR a)",
    "e → (true OR e)",
    "NOT f → (true OR NOT f)",
  ]);
});

test.each(Object.entries({ ...MUTATED_FILES, ...MUTATED_SQL }))("finds %s and its tests", (file, tests) => {
  expect([file, ...tests].filter((path) => !existsSync(path))).toEqual([]);
});
