import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findSqlChanges } from "./change-sql.ts";
import { MUTATED_FILES, MUTATED_SQL } from "./files.ts";

/** As `original → replacement`. */
function changes(sql: string): string[] {
  return findSqlChanges(sql).map(({ original, replacement }) =>
    `${original} → ${replacement}`.replace(/\s+/g, " ").trim(),
  );
}

test("makes each condition always true, or always false if it is part of an OR", () => {
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

test("mutates the conditions and the writes in a SQL function", () => {
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

test.each(Object.entries({ ...MUTATED_FILES, ...MUTATED_SQL }))(
  "lists only files that exist: %s and its tests",
  (file, tests) => {
    expect([file, ...tests].filter((path) => !existsSync(path))).toEqual([]);
  },
);
