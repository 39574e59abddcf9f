import { createServer } from "node:net";

/**
 * Node loads this file into a tested application with `--import`. For every connection to `OCCUPANCY_PORT`, the file
 * reports two times in ms: how long the application's main thread has been busy so far, and the longest time since the
 * previous connection for which the thread did not check for new requests. Time that other processes used does not
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
