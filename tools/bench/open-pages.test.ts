import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { listen } from "../kit/start-server.ts";
import { OpenPages } from "./open-pages.ts";

/** A page's intervals are this much shorter: a poll every 10 ms, a code every 60. */
const HURRY = 500;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Opens a page of a server that answers event streams in this way, and lists what it asks for. */
async function openPage(answerStream: (response: ServerResponse) => void) {
  const asked: { path: string; from: string }[] = [];
  const server = createServer(({ url = "", headers }: IncomingMessage, response) => {
    asked.push({ path: url, from: `${headers["x-forwarded-for"]} ${headers.cookie}` });
    if (url.startsWith("/api/svc/events")) return answerStream(response);
    response.setHeader("Set-Cookie", "binding=b; Path=/");
    response.end(JSON.stringify({ sid: "s", challenge: "c" }));
  });
  const port = await listen(server);
  const pages = new OpenPages(HURRY);
  ends.push(
    () => pages.close(),
    () => server.close().closeAllConnections(),
  );
  const tallies = pages.startTallies();
  await pages.open(`http://127.0.0.1:${port}`);
  const times = (path: string) => asked.filter((each) => each.path.startsWith(path)).length;
  return { pages, tallies, asked, times };
}

it("renews its code, polls, and reopens an ended stream, all as one browser", async () => {
  const { tallies, asked, times } = await openPage((response) => response.end(": beat\n\n"));
  await vi.waitFor(() => {
    expect(times("/api/svc/events?sid=s")).toBeGreaterThan(2);
    expect(times("/api/svc/qr?sid=s")).toBeGreaterThan(1);
    expect(times("/api/svc/check?sid=s")).toBeGreaterThan(times("/api/svc/qr?sid=s"));
  });
  expect(new Set(asked.slice(1).map(({ from }) => from))).toEqual(
    new Set([expect.stringMatching(/^10\.\d+\.\d+\.\d+ binding=b$/)]),
  );
  expect(tallies.polls.failed + tallies.codes.failed + tallies.streams.failed).toBe(0);
});

it("counts the open streams, and stops sending requests once it is closed", async () => {
  const { pages, asked } = await openPage((response) => void response.write(": beat\n\n"));
  await vi.waitFor(() => expect(pages.streams).toBe(1));
  pages.close();
  await vi.waitFor(() => expect(pages.streams).toBe(0));
  // Pending responses may still arrive.
  await sleep(50);
  const before = asked.length;
  await sleep(100);
  expect(asked.length).toBe(before);
});

it("counts a refused stream and continues to poll", async () => {
  const { pages, tallies, times } = await openPage((response) => response.writeHead(503).end());
  await vi.waitFor(() => expect(tallies.streams.failed).toBeGreaterThan(1));
  expect(pages.streams).toBe(0);
  await vi.waitFor(() => expect(times("/api/svc/check")).toBeGreaterThan(1));
  expect(tallies.streams.brokenBy).toEqual(new Error("/api/svc/events: 503"));
  expect(tallies.polls.brokenBy).toBeUndefined();
});
