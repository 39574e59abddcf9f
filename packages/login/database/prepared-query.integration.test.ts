import pg from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type PreparedStatement, sendPrepared } from "./prepared-query.ts";

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: inject("databaseUrl") });
  await client.connect();
});

afterAll(() => client?.end());

const ROW: PreparedStatement = {
  name: "row",
  text: `SELECT $1::int AS "number", $2::text AS "text", $3::bytea AS bytes, $4::timestamptz AS at, $5::boolean AS is_so,
    $6::int[] AS list, NULL::text AS nothing`,
  values: [7, "ä\u{1f600}", Buffer.from([0, 255]), new Date("2026-01-02T03:04:05.678Z"), false, [1, 2]],
};

test("columns are asked for once, and every row is the one that node-postgres makes", async () => {
  const described = vi.spyOn(client.connection, "describe");
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await sendPrepared(client, ROW));
  expect(described).toHaveBeenCalledTimes(1);
  const { rows } = await client.query({ text: ROW.text, values: ROW.values });
  expect(answers.map((answer) => answer.rows)).toEqual([rows, rows, rows]);
});

test("a statement without a row answers with none", async () => {
  const none = { name: "none", text: "SELECT 1 AS one WHERE $1::boolean", values: [false] };
  for (let i = 0; i < 2; i++) expect((await sendPrepared(client, none)).rows).toEqual([]);
});

test("a statement that fails, or whose value has no text, leaves the connection to the next", async () => {
  const divide = (by: unknown) =>
    sendPrepared(client, { name: "divide", text: "SELECT 12 / $1::int AS quotient", values: [by] });
  await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
  expect((await divide(4)).rows).toEqual([{ quotient: 3 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await expect(divide(circular)).rejects.toThrow("circular");
  expect((await divide(6)).rows).toEqual([{ quotient: 2 }]);
});
