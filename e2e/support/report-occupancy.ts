import { createServer } from "node:net";

/**
 * Node loads this file into an application under test with `--import`. For every connection to `OCCUPANCY_PORT`, it
 * reports how long the application's main thread has been busy so far (ms), and the longest time since the previous
 * connection during which the thread did not check for new requests (ms). Time that other processes used does not
 * count.
 */
function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let last = busy();
let longest = 0;
setInterval(() => {
  const now = busy();
  longest = Math.max(longest, now - last);
  last = now;
}, 1).unref();

createServer((socket) => {
  socket.end(JSON.stringify({ busy: busy(), longest }));
  longest = 0;
})
  .listen(Number(process.env.OCCUPANCY_PORT), "localhost")
  .unref();
