import { text } from "node:stream/consumers";
import { createLogin } from "../../index.ts";

/**
 * Ends after one request, like a function on a serverless host. Reads the database's URL from its argument and the
 * request as JSON from stdin. If the request has no path, deletes expired rows, as the timer of such a host does.
 */
const [databaseUrl = ""] = process.argv.slice(2);
const { path, method = "GET", headers = {}, body } = JSON.parse(await text(process.stdin));
const origin = new URL("https://shop.example");
const secrets = ["a secret of thirty-two characters"] as const;
const login = createLogin(async () => ({
  ...{ origin, qrFormat: "svc", secrets, trustedProxies: 0, databaseUrl },
  clientAddress: (headers) => headers.get("x-real-ip"),
}));

process.stdout.write(JSON.stringify((await answer()) ?? null));
process.exit(0);

async function answer(): Promise<unknown> {
  if (path === undefined) return login.prune();
  if (path === "/session") return (await login.currentSession(new Headers(headers)))?.userId ?? null;
  const request = new Request(new URL(path, origin), { method, headers, body });
  const response = await (method === "GET" ? login.routes.GET(request) : login.routes.POST(request));
  const cookie = response.headers.getSetCookie().map((header) => header.split(";")[0]);
  return { status: response.status, cookie, body: await response.json() };
}
