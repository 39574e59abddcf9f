import { expect } from "vitest";
import type { RawAnswer } from "./raw-http.ts";

/** In the format of the request's path (docs/protocol.md#21-errors). */
export async function expectApiError(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect(`${response.status} ${text}`).toMatch(new RegExp(`^${status} `));
  const body: unknown = JSON.parse(text);
  expect(body).toEqual({
    error: { code, message: expect.stringMatching(/\S/), details: expect.any(Object) },
  });
  expect(text).not.toMatch(/node_modules|\.ts\b|\.js\b|SELECT|prisma/i);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  if (status === 405) expect(response.headers.get("allow")).toMatch(/[A-Z]/);
}

export function expectRawError(answer: RawAnswer, status: number, code = "invalid_request"): void {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.body).toContain(`{"error":{"code":"${code}","message":"`);
  expect(answer.body).toContain('"details":{}}}');
}
