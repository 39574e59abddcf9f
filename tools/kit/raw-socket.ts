import { connect, type Socket } from "node:net";

/** Sends bytes that no HTTP client would send. */
export class RawSocket {
  readonly #socket: Socket;
  readonly #opened = performance.now();
  readonly closed: Promise<void>;
  /** One character per byte. */
  text = "";
  /** Null while the connection is open. */
  openMs: number | null = null;

  constructor(origin: string, { halfOpen = false } = {}) {
    const { hostname: host, port } = new URL(origin);
    this.#socket = connect({ port: Number(port), host, allowHalfOpen: halfOpen });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (chunk) => (this.text += chunk));
    // If a server has not read the complete request, it can reset the connection after its response.
    this.#socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      this.#socket.on("close", () => {
        this.openMs = performance.now() - this.#opened;
        resolve();
      });
    });
  }

  /** Sends bytes. Resolves when more bytes can be written or when the connection has closed. */
  async write(bytes: string | Buffer): Promise<void> {
    if (this.#socket.destroyed || this.#socket.write(bytes, "latin1")) return;
    await Promise.race([new Promise((resolve) => this.#socket.once("drain", resolve)), this.closed]);
  }

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
