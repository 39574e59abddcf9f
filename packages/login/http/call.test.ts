import { expect, test, vi } from "vitest";
import type { Database } from "../database/database.ts";
import type { RequestCounts } from "../database/sql-function.ts";
import { answerCall, type EndpointCall, errorResponse } from "./call.ts";
import type { LimitCounter } from "./request-limit.ts";
import { RequestLimit } from "./request-limit.ts";

const counting = (row: RequestCounts): Database => ({ run: async <Row>() => [row] as Row[] });

function limitOf(limit: number, usedCount: number): RequestLimit {
  const counter = { key: crypto.randomUUID(), limit, windowSeconds: 60 };
  return new RequestLimit([counter], counting({ counted_requests: usedCount + 1, counted_reset_ms: 30_000 }));
}

const render = (error: unknown) => errorResponse(error, vi.fn());

function answerOf(
  limit: RequestLimit,
  countedByHandler: boolean,
  handle: (call: EndpointCall) => Promise<Response>,
) {
  const request = new Request("http://localhost/");
  const call = {
    request,
    params: {},
    requestId: "",
    limit: () => limit,
    countedByHandler,
    render,
  };
  return answerCall(call, handle);
}

const limitHeadersOf = ({ status, headers }: Response) => [
  status,
  ...["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"].map((name) =>
    headers.get(name),
  ),
];

test.each([
  ["before the handler", false],
  ["by the handler, or afterwards", true],
])(
  "names the exceeded limit in a 429, no matter when another limit is counted: %s",
  async (_when, countedByHandler) => {
    const refusal = [429, "5", "0", "30", "30"];
    const second = async () => {
      await limitOf(5, 5).take();
      return new Response();
    };
    expect(limitHeadersOf(await answerOf(limitOf(120, 0), countedByHandler, second))).toEqual(refusal);
    const countedAnswer = await answerOf(limitOf(120, 0), countedByHandler, async ({ count }) => {
      await count(limitOf(60, 0));
      return second();
    });
    expect(limitHeadersOf(countedAnswer)).toEqual(refusal);
    expect(
      limitHeadersOf(await answerOf(limitOf(5, 5), countedByHandler, async () => new Response())),
    ).toEqual(refusal);
  },
);

test("returns the handler's own 429 without limit headers", async () => {
  const other = async () => new Response(null, { status: 429 });
  for (const countedByHandler of [true, false]) {
    const answer = await answerOf(limitOf(120, 0), countedByHandler, other);
    expect(limitHeadersOf(answer)).toEqual([429, null, null, null, null]);
  }
});

test("names the IPv6 network's limit, not the client's, in a 429 for the network", async () => {
  const counters = ["2001:db8:1:1::/64", "2001:db8:1::/48"].map((client, at) => ({
    ...{ key: `${client} ${crypto.randomUUID()}`, windowSeconds: 60 },
    limit: at === 0 ? 5 : 40,
  })) as [LimitCounter, LimitCounter];
  const ask = () =>
    new RequestLimit(
      counters,
      counting({
        ...{ counted_requests: 1, counted_reset_ms: 50_000, network_requests: 41, network_reset_ms: 20_000 },
      }),
    );
  // The count in the database refuses the first request, and this process's memory refuses the second.
  for (const limit of [ask(), ask()]) {
    const answer = await answerOf(limit, false, async () => new Response());
    expect(limitHeadersOf(answer)).toEqual([429, "40", "0", "20", "20"]);
  }
});

test("counts a request only once if a SQL statement has already counted it towards the handler's limit", async () => {
  const run = vi.fn(counting({ counted_requests: 1, counted_reset_ms: 30_000 }).run);
  const database = { run } as unknown as Database;
  const handlerLimit = new RequestLimit(
    [{ key: crypto.randomUUID(), limit: 5, windowSeconds: 60 }],
    database,
  );
  await handlerLimit.take();
  const answer = await answerOf(limitOf(120, 0), false, async ({ count }) => {
    await count(handlerLimit);
    return new Response();
  });
  expect(run).toHaveBeenCalledOnce();
  expect(limitHeadersOf(answer)).toEqual([200, "5", "4", "30", null]);
});

test("names the handler's limit if no limit was exceeded", async () => {
  const answer = await answerOf(limitOf(120, 0), false, async ({ count }) => {
    await count(limitOf(60, 1));
    return new Response();
  });
  expect(limitHeadersOf(answer)).toEqual([200, "60", "58", "30", null]);
});

test("recognises a refusal that another bundle's copy of the class created", async () => {
  const onFailure = vi.fn();
  vi.resetModules();
  const copy = await import("../protocol/errors.ts");
  const response = errorResponse(copy.refusal("session_not_found", "Start again."), onFailure);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: { code: "session_not_found", message: "Start again.", details: {} },
  });
  expect(onFailure).not.toHaveBeenCalled();
});

test("reports any other error and returns a 500 without the cause", async () => {
  const onFailure = vi.fn();
  const response = errorResponse(Object.assign(new Error("disk full"), { name: "Refusal" }), onFailure);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("disk");
  expect(onFailure).toHaveBeenCalledOnce();
});
