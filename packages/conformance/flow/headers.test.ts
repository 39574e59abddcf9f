import { expect, test } from "vitest";
import type { Answer } from "../http-client.ts";
import { sendUntilLimited } from "./headers.ts";

const MOST = 20;

/** A new window begins after `before` requests. */
function site({ most = MOST, before = Number.POSITIVE_INFINITY, tells = true }) {
  let counted = 0;
  return async (index: number) => {
    counted = index === before ? 1 : counted + 1;
    const headers = tells ? { "ratelimit-remaining": String(Math.max(0, most - counted)) } : {};
    return { status: counted > most ? 429 : 200, headers } as unknown as Answer;
  };
}

test.each([1, 7, MOST])(
  "finds a rate limit even if a new window begins during the requests: after %i of them",
  async (before) => {
    expect(await sendUntilLimited(MOST, site({ before }))).toMatchObject({ status: 429 });
  },
);

test("finds a rate limit even if the site does not return the number of remaining requests", async () => {
  expect(await sendUntilLimited(MOST, site({ tells: false }))).toMatchObject({ status: 429 });
});

test.each([1.5 * MOST + 1, Number.POSITIVE_INFINITY])(
  "does not accept a rate limit of %d where 20 is required",
  async (most) => {
    await expect(sendUntilLimited(MOST, site({ most }))).rejects.toThrow(
      "30 requests within a minute were answered without a 429.",
    );
  },
);

test("does not accept two processes that count requests separately", async () => {
  const processes = [site({}), site({})];
  const send = (index: number) => processes[index % 2]?.(index) ?? Promise.reject(new Error("no process"));
  await expect(sendUntilLimited(MOST, send)).rejects.toThrow(
    "30 requests within a minute were answered without a 429.",
  );
});
