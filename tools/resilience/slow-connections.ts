import { setTimeout as sleep } from "node:timers/promises";
import { openHandles } from "../kit/process-figures.ts";
import { RawSocket } from "../kit/raw-socket.ts";
import { waitFor } from "../kit/waiting.ts";
import { get, post } from "./hostile-requests.ts";
import { requireLinux, type Scenario } from "./stage.ts";
import { World } from "./world.ts";

const OF_EACH_KIND = 100;
const CLOSED_MS = 30_000;
const P95_MS = 500;
const DRIP_MS = 500;
/** How many more handles may be open than at first: the load's own connections open and close meanwhile. */
const HANDLES_MORE = 20;

/** A way to keep a server waiting: what is sent first, and what is then sent again and again. */
type Kind = { name: string; reads?: boolean; begin: (asset: string) => string; drip?: string };

const KINDS: readonly Kind[] = [
  { name: "say nothing", begin: () => "" },
  { name: "send headers for ever", begin: () => get("/").slice(0, -2), drip: "X-More: x\r\n" },
  { name: "stall in the body", begin: () => post("Content-Length: 1000\r\n", "{") },
  {
    name: "send the body byte by byte",
    begin: () => post("Transfer-Encoding: chunked\r\n"),
    drip: "1\r\n \r\n",
  },
  { name: "ask and never read", reads: false, begin: (asset) => get(asset).repeat(200) },
];

export const slowConnections: Scenario = {
  name: "slow-connections",
  title: `${KINDS.length * OF_EACH_KIND} slow and stalled connections`,
  async play(stage) {
    requireLinux();
    const world = await World.open(stage);
    const app = await world.start();
    const asset = await largeAsset(app.url);
    const load = await world.startLoad({ people: 4, pauseMs: 100 });
    await sleep(2_000);
    const handles = openHandles(app.pid);
    const from = performance.now();
    const slow = KINDS.map((kind) => ({
      kind,
      sockets: Array.from({ length: OF_EACH_KIND }, () => keepWaiting(app.url, kind, asset)),
    }));
    stage.onEnd(() => {
      for (const socket of slow.flatMap(({ sockets }) => sockets)) socket.hangUp();
    });
    await waitFor(() => openHandles(app.pid) >= handles + KINDS.length * OF_EACH_KIND, 10_000);
    // A client that does not read does not see the close, so the server's handles are counted.
    const closed = await waitFor(() => openHandles(app.pid) <= handles + HANDLES_MORE, CLOSED_MS + 5_000);
    const [p95, inAll] = [load.traffic.latency(0.95, from), load.traffic.latency(0.95)];
    await load.stop();
    for (const { kind, sockets } of slow) {
      const times = sockets.map(({ openMs }) => (kind.reads === false ? closed?.ms : openMs));
      const longest = Math.max(...times.map((ms) => ms ?? Number.POSITIVE_INFINITY));
      stage.checkWithin(`all ${OF_EACH_KIND} that ${kind.name} are closed`, longest, CLOSED_MS);
    }
    stage.check(
      `others' p95 stays below ${P95_MS} ms`,
      p95 < P95_MS && load.ledger.failures.length === 0,
      `${p95.toFixed(0)} ms beside them (${inAll.toFixed(0)} ms in all), ${load.ledger.signedIn} logins`,
    );
    world.checkAlive(app);
  },
};

function keepWaiting(origin: string, { reads, begin, drip }: Kind, asset: string): RawSocket {
  const socket = new RawSocket(origin, { reads });
  void socket.write(begin(asset));
  if (drip) {
    const timer = setInterval(() => void socket.write(drip), DRIP_MS);
    void socket.closed.then(() => clearInterval(timer));
  }
  return socket;
}

/** The largest script of the login page: asking for it 200 times overflows a connection's buffers. */
async function largeAsset(origin: string): Promise<string> {
  const page = await (await fetch(`${origin}/login`)).text();
  const paths = [...page.matchAll(/src="(\/_next\/static\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");
  let largest = { path: "", size: 0 };
  for (const path of paths) {
    const size = (await (await fetch(origin + path)).arrayBuffer()).byteLength;
    if (size > largest.size) largest = { path, size };
  }
  if (!largest.path) throw new Error("the login page names no script");
  return largest.path;
}
