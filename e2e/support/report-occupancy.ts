import { createServer } from "node:net";

/**
 * Loaded by an application under test, with `--import`: tells whoever connects to `OCCUPANCY_PORT` how long the
 * application's own thread has been busy so far, and at the longest without looking at what had arrived since it was
 * asked last (ms). Time that other processes took from it does not count.
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
