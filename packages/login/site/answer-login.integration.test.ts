import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { exchangeRaw, formatRawRequest } from "../../../e2e/support/raw-http.ts";
import { createLogin, type Login } from "../index.ts";
import { ORIGIN, SITE_SETTINGS, startSite } from "./tests/site.fixture.ts";

const site = startSite((databaseUrl) => createLogin(async () => ({ ...SITE_SETTINGS, databaseUrl })));
let port: number;

beforeAll(async () => {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0);
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  return () => void server.close();
});

const requests: string[] = [];

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = ["GET", "HEAD"].includes(method) ? null : Buffer.concat(await incoming.toArray());
  const handler = site().login.routes[method as keyof Login["routes"]];
  requests.push(`${method} ${url}`);
  // Like the framework, takes the host from the request.
  const answer = await handler(
    new Request(`http://${incoming.headers.host}${url}`, { method, headers, body }),
  );
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(Buffer.from(await answer.arrayBuffer()));
}

test("gives a different nonce to each page that a phone's camera opens", async () => {
  const page = `http://127.0.0.1:${port}/webhook/login`;
  const policies = [await fetch(page), await fetch(page)].map(({ headers }) =>
    headers.get("Content-Security-Policy"),
  );
  const nonces = policies.map((policy) => /'nonce-([^']{16,})'/.exec(policy ?? "")?.[1]);
  expect(new Set([...nonces, undefined]).size).toBe(3);
});

describe("an internal framework request without a connection", () => {
  const rows = async () => {
    const { rows } = await site().client.query(
      "SELECT (SELECT count(*) FROM login_session) AS sessions, (SELECT count(*) FROM login_event) AS events",
    );
    return rows;
  };

  test.each([
    "GET /api/svc/qr",
    "POST /webhook/login",
    "POST /api/svc/sign-in",
    "GET /api/account/recovery-codes",
    "POST /api/recovery",
    "GET /api/auth/session",
    "POST /api/auth/callback/svc",
  ])("is refused without changes: %s", async (line) => {
    const [method = "", path = ""] = line.split(" ");
    const warnings = vi.spyOn(process, "emitWarning");
    const stderr = vi.spyOn(process.stderr, "write");
    const before = await rows();
    const { auth, routes } = site().login;
    const handler = (path.startsWith("/api/auth/") ? auth : routes)[method as "GET" | "POST"];
    // A request like the one from the framework's image optimiser, with headers that a client might have added.
    for (const headers of [
      new Headers(),
      { "x-client-address": "203.0.113.9", "x-forwarded-for": "203.0.113.9" },
    ]) {
      const answer = await handler(new Request(ORIGIN + path, { method, headers }));
      expect([answer.status, (await answer.json()).error.code]).toEqual(
        path === "/api/account/recovery-codes" ? [405, "method_not_allowed"] : [400, "invalid_request"],
      );
    }
    expect(await rows()).toEqual(before);
    expect(warnings).not.toHaveBeenCalled();
    expect(stderr).not.toHaveBeenCalled();
  });
});

test("sends the development requests that compile the webhooks only to this server", async () => {
  vi.stubEnv("NODE_ENV", "development");
  let reached = 0;
  const other = createServer((_request, response) => {
    reached++;
    response.end();
  });
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const Host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const answer = await exchangeRaw(
    `http://localhost:${port}`,
    formatRawRequest("GET /api/svc/qr HTTP/1.1", { Host }),
  );
  other.close();
  expect(answer.status).toBe(200);
  expect(reached).toBe(0);
  expect(requests).toEqual(expect.arrayContaining(["HEAD /webhook/login", "HEAD /webhook/register"]));
});
