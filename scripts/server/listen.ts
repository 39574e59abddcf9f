import { createServer as createHttpServer, type Server } from "node:http";
import { createServer, type ListenOptions, Server as SocketServer } from "node:net";
import { setImmediate } from "node:timers/promises";

/** How long a stopping server waits for running requests. */
export const DRAIN_SECONDS = 8;
/** How long a stopping server still accepts connections from its accept queue. */
const ACCEPT_QUEUE_MS = 250;
/** How long a stopping server keeps idle connections open. */
const IDLE_GRACE_MS = 1_000;
const IDLE_CHECK_MS = 100;
/** The number of ports above an occupied one that are tried, to find a free one to suggest. */
const NEXT_PORTS = 20;

const stopping = new WeakSet<Server>();

/** Each response of a stopping server is the last one on its connection. */
export function isStopping(server: Server): boolean {
  return stopping.has(server);
}

/** Node.js allows only one address per server. */
const socketServers = new WeakMap<Server, SocketServer[]>();

/**
 * Listens on `port` at each of these IP addresses, or on every interface if there are none. Skips addresses that this
 * machine does not have, because many machines have no IPv6.
 * @throws {Error} with a readable message if the port is occupied or not permitted, or if this machine has none of the
 * addresses
 */
export async function listen(server: Server, port: number, addresses: readonly string[] = []): Promise<void> {
  if (addresses.length === 0) return open(server, { port });
  const otherSockets: SocketServer[] = [];
  socketServers.set(server, otherSockets);
  let addressError: AddressMissingError | null = null;
  for (const host of addresses) {
    const socket = server.listening ? acceptFor(server) : server;
    try {
      await open(socket, { port, host });
      if (socket !== server) otherSockets.push(socket);
    } catch (error) {
      if (!(error instanceof AddressMissingError)) {
        await closeSockets(server);
        throw error;
      }
      addressError = error;
    }
  }
  if (addressError && !server.listening) throw addressError;
}

/** Passes its connections to the server. */
function acceptFor(server: Server): SocketServer {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit("connection", socket);
  });
}

function open(socket: SocketServer, at: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(describe(error, at));
    socket.once("error", refuse);
    socket.listen(at, () => {
      socket.off("error", refuse);
      resolve();
    });
  });
}

class AddressMissingError extends Error {}

class PortTakenError extends Error {
  constructor(port: number, free: number) {
    super(`Port ${port} is taken by another program. Stop it, or choose another: PORT=${free} npm start`);
  }
}

function describe({ code, message }: NodeJS.ErrnoException, { port = 0, host }: ListenOptions): Error {
  if (code === "EADDRINUSE") return new PortTakenError(port, port + 1);
  if (code === "EACCES")
    return new Error(`Port ${port} may not be used by this user. Choose another: PORT=3000 npm start`);
  if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") {
    return new AddressMissingError(
      `HOST: ${host} is not an address of this machine; expected one of its addresses, or localhost`,
    );
  }
  return new Error(message);
}

/** Suggests the next free port if `port` is occupied. Call this function before anything that takes time. */
export async function assertPortFree(port: number, addresses: readonly string[]): Promise<void> {
  try {
    await probe(port, addresses);
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
    for (let next = port + 1; next <= port + NEXT_PORTS; next++) {
      const isFree = await probe(next, addresses).then(
        () => true,
        () => false,
      );
      if (isFree) throw new PortTakenError(port, next);
    }
    throw error;
  }
}

async function probe(port: number, addresses: readonly string[]): Promise<void> {
  const server = createHttpServer();
  await listen(server, port, addresses);
  await closeSockets(server);
}

/**
 * Accepts the connections in the accept queue, and no others. Lets running requests finish, but closes them after
 * `seconds`. A connection without a request might be about to send one, so this function waits a moment for it. Each
 * response announces that it is the last one on its connection.
 */
export async function drain(server: Server, seconds: number): Promise<void> {
  stopping.add(server);
  const timer = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  let idle: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  }, IDLE_GRACE_MS);
  await acceptQueued(server);
  await closeSockets(server);
  clearTimeout(timer);
  clearTimeout(grace);
  clearInterval(idle);
}

/**
 * Closing the listening socket would reset the connections in the accept queue, although their clients might already
 * have sent a request. A busy process has several, because the event loop accepts only one per turn.
 */
async function acceptQueued(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_QUEUE_MS;
  let accepted = true;
  const note = () => {
    accepted = true;
  };
  server.on("connection", note);
  while (accepted && performance.now() < until) {
    accepted = false;
    // The first `setImmediate` resolves in this turn, before the next connection is accepted.
    await setImmediate();
    await setImmediate();
  }
  server.off("connection", note);
}

/** Resolves when neither the server nor its additional sockets have any connections left. */
async function closeSockets(server: Server): Promise<void> {
  const close = (socket: SocketServer) =>
    // The HTTP server's own `close` would immediately close connections without a request.
    new Promise<void>((resolve) => void SocketServer.prototype.close.call(socket, () => resolve()));
  await Promise.all([server, ...(socketServers.get(server) ?? [])].map(close));
}
