import { expect, test } from "vitest";
import type { Database, Statement } from "./database.ts";
import type { RequestCounter } from "./sql-function.ts";
import { callSqlFunction, sqlFunction } from "./sql-function.ts";

const REDEEM = sqlFunction("redeem_login", ["loginSid", "deadline"]);

function answering(row: Record<string, unknown>) {
  const statements: unknown[] = [];
  const database: Database = {
    async run<Row>({ text }: Statement, values: readonly unknown[]) {
      statements.push(text, values);
      return [row] as Row[];
    },
  };
  return { asked: statements, database };
}

test("converts names between snake case in SQL and camel case in TypeScript", async () => {
  const { asked: statements, database } = answering({ user_id: 1, is_new: null });
  expect(await callSqlFunction(database, REDEEM, { deadline: 2, loginSid: "sid" })).toEqual({
    userId: 1,
    isNew: null,
  });
  expect(statements).toEqual([
    "SELECT * FROM login_2.redeem_login(login_sid => $1, deadline => $2)",
    ["sid", 2],
  ]);
});

test("treats a row that contains only nulls as NULL", async () => {
  const { database } = answering({ user_id: null, is_new: null });
  expect(await callSqlFunction(database, REDEEM, { loginSid: null, deadline: undefined })).toBeNull();
});

test("throws for a missing parameter instead of passing NULL", async () => {
  const { asked: statements, database } = answering({});
  await expect(callSqlFunction(database, REDEEM, { loginSid: "sid" })).rejects.toThrow(
    "redeem_login: deadline is missing",
  );
  expect(statements).toEqual([]);
});

const limit: RequestCounter = { countWith: (run) => run(["qr:client", null, 120, null, 60]) };
const COUNTED = {
  counted_requests: 1,
  counted_reset_ms: 60_000,
  network_requests: null,
  network_reset_ms: null,
};

test("counts the request and calls the function in one statement", async () => {
  const { asked: statements, database } = answering({ ...COUNTED, user_id: 1, is_new: null });
  const row = await callSqlFunction(database, REDEEM, { deadline: 2, loginSid: "sid" }, limit);
  expect(row).toEqual({ userId: 1, isNew: null });
  expect(statements).toEqual([
    "SELECT * FROM login_2.count_request($3, $4, $5, $6, $7) LEFT JOIN login_2.redeem_login(login_sid => $1, deadline => $2) ON true",
    ["sid", 2, "qr:client", null, 120, null, 60],
  ]);
});

test("returns null if the function returns NULL, and still counts the request", async () => {
  const { database } = answering({ ...COUNTED, user_id: null, is_new: null });
  expect(await callSqlFunction(database, REDEEM, { loginSid: "sid", deadline: 2 }, limit)).toBeNull();
});
