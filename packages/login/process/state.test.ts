import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { waitForEventLoopTurn } from "./state.ts";

test("serves a hundred simultaneous callers in order", async () => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "localhost");
  await once(socket, "connect");

  const order: number[] = [];
  const all = Array.from({ length: 100 }, async (_, index) => {
    await waitForEventLoopTurn();
    order.push(index);
    // Work for as long as rendering a page takes, so that the echo has arrived by the next turn.
    for (const end = performance.now() + 5; performance.now() < end; );
  });
  socket.write("x");
  await once(socket, "data");
  const countBefore = order.length;
  socket.destroy();
  await Promise.all(all);

  expect(countBefore).toBeLessThan(50);
  expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
