import { Agent, createServer } from "node:http";
import { expect, test } from "vitest";
import { PostponedError } from "./check.ts";
import { HttpClient } from "./http-client.ts";
import { RequestBudget } from "./request-budget.ts";
import { closeAfterTest, listen } from "./testing/reference.fixture.ts";

/** In seconds, after a 429 with these headers. */
async function patienceAfter(headers: Record<string, string>): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(429, headers).end());
  const { origin } = await closeAfterTest(listen(server));
  const client = new HttpClient({
    ...{ origin, timeoutSeconds: 30, budget: new RequestBudget(), agent: new Agent() },
    ...{ reserve: () => 0, onAnswer: () => {} },
  });
  const error: unknown = await client.send({ path: "/" }).catch((thrown) => thrown);
  if (!(error instanceof PostponedError)) throw error;
  return Math.round((error.until - Date.now()) / 1000);
}

test.each([
  ["seconds", "90", 90],
  ["a date, compared with the server's own clock", "Thu, 26 Nov 2026 10:01:30 GMT", 90],
  ["more than two minutes", "Thu, 26 Nov 2027 10:00:00 GMT", 120],
  ["a past date", "Thu, 26 Nov 2026 09:59:00 GMT", 30],
  ["no value", "soon", 30],
])("retries at the time that the server requests: %s", async (_what, retryAfter, seconds) => {
  const headers = { Date: "Thu, 26 Nov 2026 10:00:00 GMT", "Retry-After": retryAfter };
  expect(await patienceAfter(headers)).toBe(seconds);
});
