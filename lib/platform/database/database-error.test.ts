import { createServer } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#e2e/support/start-app.ts";
import { PrismaClient } from "#generated/prisma/client.ts";
import { isDatabaseUnavailable } from "./database-error.ts";

test("a transaction that cannot begin, since the database says nothing, is no fault of ours", async () => {
  const port = await freePort();
  const silent = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => void silent.close());
  const connectionString = `postgresql://nobody:none@127.0.0.1:${port}/none`;
  const client = new PrismaClient({
    adapter: new PrismaPg({ connectionString, connectionTimeoutMillis: 500 }),
  });
  const failed = await client
    .$transaction((within) => within.owner.count(), { maxWait: 100 })
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "P2028" });
  expect(isDatabaseUnavailable(failed)).toBe(true);
});
