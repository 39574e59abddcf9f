import { expect, test } from "vitest";
import { type Database, type Statement, statement } from "../store/database.ts";
import { countingDatabase } from "./limit-counters.ts";
import { RequestLimit } from "./request-limit.ts";

const ASKED = statement({ name: "asked", select: "SELECT 1 AS one", durable: false });

test("a request whose window ended between its count and the next is answered, and counted once", async () => {
  const ran: string[] = [];
  const database: Database = {
    async run<Row>({ name }: Statement) {
      ran.push(name);
      // What PostgreSQL says where the limit is used up.
      if (name !== ASKED.name) throw Object.assign(new Error("division by zero"), { code: "22012" });
      return [{ one: 1 }] as Row[];
    },
  };
  const counter = { key: "a client", limit: 1, windowSeconds: 60 };
  let counts = 0;
  const limit = new RequestLimit([counter], async () => {
    counts++;
    return { counted_requests: 1, counted_reset_ms: 60_000 };
  });
  expect(await countingDatabase(database, limit).run(ASKED, [])).toEqual([{ one: 1 }]);
  expect([ran.at(-1), counts]).toEqual([ASKED.name, 1]);
});
