import { createServer as createHttpServer, type Server } from "node:http";
import { createServer, type ListenOptions, Server as SocketServer } from "node:net";
import { setImmediate } from "node:timers/promises";

/** How long requests in progress may take after the server begins to stop. */
export const DRAIN_SECONDS = 8;
/** How long a stopping server accepts connections from its accept queue. */
const ACCEPT_QUEUE_MS = 250;
/** How long connections without a request are left open once the server stops. */
const IDLE_GRACE_MS = 1_000;
const IDLE_CHECK_MS = 100;
/** The number of ports above an occupied one that are tried, to suggest a free one. */
const NEXT_PORTS = 20;

/** Servers that have been asked to stop. */
const stopping = new WeakSet<Server>();

/** Returns true while a server drains. Each response is then the last on its connection. */
export function isStopping(server: Server): boolean {
  return stopping.has(server);
}

/** The sockets on which a server listens in addition to its own, because Node gives a server only one address. */
const socketServers = new WeakMap<Server, SocketServer[]>();

/**
 * Listens on `port` of each of these addresses, or of every interface if there are none. Skips addresses that this
 * machine does not have, because many machines have no IPv6.
 * @throws {Error} in plain words when the port is taken or may not be used, or no address is this machine's
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

/** Returns a socket that passes its connections to the server. */
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

/**
 * Throws in plain words if `listen` would, and names the next free port if this one is taken. Called before anything
 * that takes time.
 */
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
 * Accepts the connections in the accept queue, then no more. Lets requests in flight finish, and closes those that have
 * not finished after `seconds`. A connection without a request may be about to get one, so the server waits a moment
 * for that request, and announces in the response that it is the last.
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
 * Accepts the connections in the accept queue: closing the listening socket resets them, though their clients may have
 * sent a request. The event loop accepts one a turn, so a busy process has some.
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
    // The first resolves in this turn, before the next connection is accepted.
    await setImmediate();
    await setImmediate();
  }
  server.off("connection", note);
}

/** Resolves when the server and the sockets that accept for it have no connections left. */
async function closeSockets(server: Server): Promise<void> {
  const close = (socket: SocketServer) =>
    // Not the HTTP server's own `close`, which immediately closes connections without a request.
    new Promise<void>((resolve) => void SocketServer.prototype.close.call(socket, () => resolve()));
  await Promise.all([server, ...(socketServers.get(server) ?? [])].map(close));
}
