import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import type { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import setUpBrowserTests from "./e2e-setup.ts";
import setUpIntegrationTests from "./integration-setup.ts";
import { startInTurn } from "./stop-later.ts";

describe("a setup", () => {
  test("that fails half way stops what it has started, the last first, and says why it failed", async () => {
    const stopped: string[] = [];
    const setUp = startInTurn(async (stopLater) => {
      stopLater(() => stopped.push("the first"));
      stopLater(async () => stopped.push("the second"));
      throw new Error("the third did not start");
    });
    await expect(setUp).rejects.toThrow("the third did not start");
    expect(stopped).toEqual(["the second", "the first"]);
  });

  test("that succeeds stops nothing before it is told to, and then each once, though one cannot be stopped", async () => {
    const stopped: string[] = [];
    const stop = await startInTurn(async (stopLater) => {
      stopLater(() => stopped.push("the first"));
      stopLater(() => {
        throw new Error("it hangs");
      });
    });
    expect(stopped).toEqual([]);
    await expect(stop()).rejects.toThrow("it hangs");
    await stop();
    expect(stopped).toEqual(["the first"]);
  });
});

/** Applications of which only so many start. */
function startsFor(count: number) {
  const stop = vi.fn(async () => {});
  const databases: string[] = [];
  const start: typeof startApp = async ({ DATABASE_URL = "" }) => {
    databases.push(DATABASE_URL);
    if (databases.length > count) throw new Error("the application did not start");
    return { url: `http://localhost:${databases.length}`, stop } as unknown as RunningServer;
  };
  return { start, stop, databases };
}

/** Whether a database is still there, or its server. */
async function isThere(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

test("the integration tests' setup stops two applications and drops their database if the third does not start", async () => {
  const { start, stop, databases } = startsFor(2);
  await expect(setUpIntegrationTests({ provide: () => {} }, start)).rejects.toThrow("did not start");
  expect(databases).toHaveLength(3);
  expect(stop).toHaveBeenCalledTimes(2);
  expect(await isThere(databases[0] ?? "")).toBe(false);
});

test("the browser tests' setup drops its database if the application does not start", async () => {
  const { start, databases } = startsFor(0);
  await expect(setUpBrowserTests(undefined, start)).rejects.toThrow("did not start");
  expect(await isThere(databases[0] ?? "")).toBe(false);
});
