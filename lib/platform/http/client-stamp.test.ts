import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientStamp, readClientStamp, stampRequests } from "./client-stamp.ts";

test("a stamp is read back, and nothing else is", () => {
  expect(readClientStamp(clientStamp("203.0.113.9"))).toBe("203.0.113.9");
  expect(readClientStamp(clientStamp("2001:db8::/64"))).toBe("2001:db8::/64");
  for (const header of [null, "", "203.0.113.9", "guess 203.0.113.9", clientStamp("")]) {
    expect(readClientStamp(header)).toBeNull();
  }
});

describe("a server whose requests are stamped", () => {
  const server = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
  let port: number;
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());

  /** The headers as the server sees them. */
  function seen(headers: Record<string, string>): Promise<IncomingHttpHeaders> {
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: "127.0.0.1", headers }, async (response) => {
        resolve(JSON.parse((await response.setEncoding("utf8").toArray()).join("")));
      });
      sent.on("error", reject).end();
    });
  }

  const clientOf = async (headers: Record<string, string>) =>
    readClientStamp(String((await seen(headers))["x-client-address"]));

  test("knows the socket's address, whatever headers its client sends", async () => {
    stampRequests(0);
    expect(await clientOf({})).toBe("127.0.0.1");
    expect(await clientOf({ "X-Client-Address": "9.9.9.9", "X-Forwarded-For": "8.8.8.8" })).toBe("127.0.0.1");
    expect((await seen({ "X-Request-Id": "mine" }))["x-request-id"]).not.toBe("mine");
  });

  test("believes as many proxies as there are", async () => {
    stampRequests(1);
    expect(await clientOf({ "X-Forwarded-For": "8.8.8.8, 203.0.113.9" })).toBe("203.0.113.9");
  });
});
