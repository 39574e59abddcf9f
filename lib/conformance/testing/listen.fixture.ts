import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Lets a server listen on this machine. */
export async function listen(server: Server): Promise<{ origin: URL; close(): void }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: new URL(`http://localhost:${(server.address() as AddressInfo).port}`),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
