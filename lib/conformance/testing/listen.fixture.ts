import type { Server } from "node:http";
import { listen as listenAt } from "../wallet/hostile-site.ts";

/** Lets a server listen on this machine. */
export async function listen(server: Server): Promise<{ origin: URL; close(): void }> {
  const { port, close } = await listenAt(server, 0, "127.0.0.1");
  return { origin: new URL(`http://localhost:${port}`), close };
}
