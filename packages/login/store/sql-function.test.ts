import { expect, test } from "vitest";
import type { Database, Statement } from "./database.ts";
import { call, sqlFunction } from "./sql-function.ts";

const REDEEM = sqlFunction("redeem_login", ["loginSid", "deadline"]);

/** A database that answers with one row, and what it was asked. */
function answering(row: Record<string, unknown>) {
  const asked: unknown[] = [];
  const database: Database = {
    async run<Row>({ text }: Statement, values: readonly unknown[]) {
      asked.push(text, values);
      return [row] as Row[];
    },
  };
  return { asked, database };
}

test("a call names its parameters and columns as SQL does, and the caller as TypeScript does", async () => {
  const { asked, database } = answering({ user_id: 1, is_new: null });
  expect(await call(database, REDEEM, { deadline: 2, loginSid: "sid" })).toEqual({ userId: 1, isNew: null });
  expect(asked).toEqual(["SELECT * FROM login_1.redeem_login(login_sid => $1, deadline => $2)", ["sid", 2]]);
});

test("a row of nulls is what a function returns as NULL", async () => {
  const { database } = answering({ user_id: null, is_new: null });
  expect(await call(database, REDEEM, { loginSid: null, deadline: undefined })).toBeNull();
});

test("a parameter that is left out is an error, not NULL", async () => {
  const { asked, database } = answering({});
  await expect(call(database, REDEEM, { loginSid: "sid" })).rejects.toThrow(
    "redeem_login: deadline is missing",
  );
  expect(asked).toEqual([]);
});
