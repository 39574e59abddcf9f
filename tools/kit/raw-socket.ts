import { connect, type Socket } from "node:net";

/** A connection for sending bytes that no HTTP client would send. It records the response. */
export class RawSocket {
  readonly #socket: Socket;
  readonly #opened = performance.now();
  readonly closed: Promise<void>;
  /** Everything that was received, with one character per byte. */
  text = "";
  /** How long the connection was open (ms), or null while it is open. */
  openMs: number | null = null;

  constructor(origin: string, { halfOpen = false } = {}) {
    const { hostname: host, port } = new URL(origin);
    this.#socket = connect({ port: Number(port), host, allowHalfOpen: halfOpen });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (chunk) => (this.text += chunk));
    // A server can reset the connection after its response if it has not read all of the request.
    this.#socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      this.#socket.on("close", () => {
        this.openMs = performance.now() - this.#opened;
        resolve();
      });
    });
  }

  /** Resolves when more can be written or the connection has closed. */
  async write(bytes: string | Buffer): Promise<void> {
    if (this.#socket.destroyed || this.#socket.write(bytes, "latin1")) return;
    await Promise.race([new Promise((resolve) => this.#socket.once("drain", resolve)), this.closed]);
  }

  /** Sends the last bytes and continues to read. */
  finish(bytes: string | Buffer): void {
    this.#socket.end(bytes, "latin1");
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
}
