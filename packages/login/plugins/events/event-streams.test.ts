import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  EVENT_STREAM_HEARTBEAT_SECONDS,
  EVENT_STREAM_LIFETIME_SECONDS,
  EVENT_STREAMS_PER_ADDRESS,
  EVENT_STREAMS_PER_PROCESS,
} from "../../http/numbers.ts";
import { shutDown } from "../../process/state.ts";
import { EventStreams } from "./event-streams.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function open(streams: EventStreams, address = "192.0.2.1") {
  const onEnd = vi.fn();
  const reader = streams
    .reserve(address)
    .open((stream) => stream.send("data: first\n\n"), onEnd)
    .getReader();
  const next = async () => {
    const { value } = await reader.read();
    return value ? new TextDecoder().decode(value) : null;
  };
  return { next, onEnd, hangUp: () => reader.cancel() };
}

test("sends a comment at regular intervals and ends after a minute", async () => {
  const { next, onEnd } = open(new EventStreams());
  expect(await next()).toBe("data: first\n\n");
  vi.advanceTimersByTime((EVENT_STREAM_HEARTBEAT_SECONDS + 1) * 1000);
  expect(await next()).toBe(": beat\n\n");
  vi.advanceTimersByTime(EVENT_STREAM_LIFETIME_SECONDS * 1000);
  let last = await next();
  while (last !== null) {
    expect(last).toBe(": beat\n\n");
    last = await next();
  }
  expect(onEnd).toHaveBeenCalledOnce();
});

test("limits the simultaneous streams from an IP address", async () => {
  const streams = new EventStreams();
  const openStreams = Array.from({ length: EVENT_STREAMS_PER_ADDRESS }, () => open(streams));
  const headers = {
    ...{ "ratelimit-limit": "200", "ratelimit-remaining": "0", "ratelimit-reset": "30" },
    "Retry-After": "30",
  };
  expect(() => streams.reserve("192.0.2.1")).toThrow(expect.objectContaining({ status: 429, headers }));
  expect(() => streams.reserve("192.0.2.2").release()).not.toThrow();
  await openStreams[0]?.hangUp();
  expect(openStreams[0]?.onEnd).toHaveBeenCalledOnce();
  open(streams);
  expect(() => streams.reserve("192.0.2.1")).toThrow(expect.objectContaining({ status: 429 }));
});

test("limits an IPv6 network to eight times the streams of one client", async () => {
  const streams = new EventStreams();
  const client = (index: number) => `2001:db8:1:${index.toString(16)}::/64`;
  const openStreams = Array.from({ length: 8 * EVENT_STREAMS_PER_ADDRESS }, (_, index) =>
    open(streams, client(index % 100)),
  );
  expect(() => streams.reserve(client(200))).toThrow(expect.objectContaining({ status: 429 }));
  expect(() => streams.reserve("2001:db8:2:1::/64").release()).not.toThrow();
  await openStreams[0]?.hangUp();
  expect(() => streams.reserve(client(200)).release()).not.toThrow();
});

test("limits the number of streams in a process, and returns Retry-After above the limit", () => {
  const streams = new EventStreams();
  const places = Array.from({ length: EVENT_STREAMS_PER_PROCESS }, (_, index) => streams.reserve(`${index}`));
  const refusal = expect.objectContaining({ status: 503, headers: { "Retry-After": "30" } });
  expect(() => streams.reserve("another")).toThrow(refusal);
  // A slot that is released repeatedly counts as released only once.
  places[0]?.release();
  places[0]?.release();
  streams.reserve("another");
  expect(() => streams.reserve("one more")).toThrow(refusal);
});

test("ends all streams immediately when the process stops", async () => {
  const streams = new EventStreams();
  const openStreams = [open(streams), open(streams, "192.0.2.2")];
  await shutDown(async () => {});
  for (const { next, onEnd } of openStreams) {
    expect(await next()).toBe("data: first\n\n");
    expect(await next()).toBeNull();
    expect(onEnd).toHaveBeenCalledOnce();
  }
});
