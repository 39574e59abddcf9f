import { createServer } from "node:http";
import { listen } from "#tools/kit/start-server.ts";
import { APP_URL } from "./fixtures.ts";

/**
 * Starts a proxy in front of the application. After `deploy`, the proxy serves a newer version of the wallet, as after
 * a deployment.
 */
export async function startNewerVersionProxy() {
  let version: string | null = null;
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? "/", APP_URL), { redirect: "manual" });
    let body = Buffer.from(await answer.arrayBuffer());
    if (request.url === "/wallet/sw.js" && version !== null) {
      body = Buffer.from(body.toString().replace(/const VERSION = ".*"/, `const VERSION = "${version}"`));
    }
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-|transfer-|connection|keep-)/.test(name),
    );
    for (const name of ["content-type", "content-security-policy"]) {
      headers.push([name, answer.headers.get(name) ?? ""]);
    }
    response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
  });
  const port = await listen(server, "localhost");
  return {
    url: `http://localhost:${port}`,
    deploy(next: string): void {
      version = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
