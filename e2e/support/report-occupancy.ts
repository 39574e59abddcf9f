import { createServer } from "node:net";

/**
 * Loaded by an application under test, with `--import`: tells whoever connects to `OCCUPANCY_PORT` how long the
 * application's own thread has been busy so far (ms). Time that other processes took from it does not count.
 */
createServer((socket) => {
  const { user, system } = process.threadCpuUsage();
  socket.end(String((user + system) / 1000));
})
  .listen(Number(process.env.OCCUPANCY_PORT), "localhost")
  .unref();
