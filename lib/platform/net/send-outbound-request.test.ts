import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type NameServer, startNameServer } from "#e2e/support/name-server.ts";
import { type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { listen } from "#tools/kit/start-server.ts";
import { createOutboundPolicy, NO_PUBLIC_ADDRESS_MESSAGE } from "./outbound-policy.ts";
import { resolveAddresses } from "./resolve.ts";
import { sendOutboundRequest } from "./send-outbound-request.ts";

let dns: NameServer;
let receiver: Receiver;
/** A loopback address that must not be reached. */
let forbidden: Receiver;

beforeAll(async () => {
  dns = await startNameServer();
  receiver = await startReceiver();
  forbidden = await startReceiver("127.0.0.2", receiver.port);
});
afterEach(() => {
  dns.questions.length = 0;
});
afterAll(async () => {
  dns.close();
  await Promise.all([receiver.close(), forbidden.close()]);
});

// Allows only the receiver's own address. The other loopback addresses represent a private network.
const policy = () => createOutboundPolicy(["127.0.0.1/32"], [dns.address]);
const post = (url: string, signal?: AbortSignal) =>
  sendOutboundRequest({
    url,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"ä":1}',
    policy: policy(),
    signal,
  });
const hook = (path: string, host = "127.0.0.1") => `http://${host}:${receiver.port}${path}`;

describe("an outbound request", () => {
  it("sends the exact bytes to the IP address that the name resolves to, with the name as Host", async () => {
    dns.names.set("hooks.example.com", { A: ["127.0.0.1"] });
    const result = await post(hook("/ok?a=b", "hooks.example.com"));
    expect(result).toMatchObject({ status: 204, cut: null });
    const [request] = receiver.received;
    expect(request?.body.toString()).toBe('{"ä":1}');
    expect(request?.headers.host).toBe(`hooks.example.com:${receiver.port}`);
    expect(request?.headers.connection).toBe("close");
  });

  it("does not connect to a forbidden IP address, whether the URL contains the address or a name that resolves to it", async () => {
    dns.names.set("inside.example.com", { A: ["127.0.0.2"] });
    dns.names.set("six.example.com", { AAAA: ["::1"] });
    dns.names.set("mapped.example.com", { AAAA: ["::ffff:127.0.0.2"] });
    dns.names.set("nat64.example.com", { AAAA: ["64:ff9b::7f00:2"] });
    dns.names.set("alias.example.com", { CNAME: "inside.example.com" });
    dns.names.set("chain.example.com", { CNAME: "alias.example.com" });
    const names = ["inside", "six", "mapped", "nat64", "alias", "chain"].map((name) => `${name}.example.com`);
    const literals = ["127.0.0.2", "127.2", "0x7f000002", "localhost", "localhost.", "a.localhost"];
    for (const host of [...literals, ...names, "inside.example.com."]) {
      expect(await post(hook("/", host)), host).toEqual({ status: null, error: NO_PUBLIC_ADDRESS_MESSAGE });
    }
    expect(forbidden.received).toEqual([]);
  });

  it("is not sent if one of several IP addresses is forbidden", async () => {
    dns.names.set("mixed.example.com", { A: ["127.0.0.1", "127.0.0.2"] });
    dns.names.set("mixed6.example.com", { A: ["127.0.0.1"], AAAA: ["fe80::1"] });
    for (const host of ["mixed.example.com", "mixed6.example.com"]) {
      expect(await post(hook("/mixed", host))).toEqual({ status: null, error: NO_PUBLIC_ADDRESS_MESSAGE });
    }
    expect(receiver.received.filter(({ path }) => path === "/mixed")).toEqual([]);
    expect(forbidden.received).toEqual([]);
  });

  it("connects to the IP address that was checked, even if the name server then returns a different one", async () => {
    let lookups = 0;
    dns.names.set("rebind.example.com", () => (lookups++ < 2 ? { A: ["127.0.0.1"] } : { A: ["127.0.0.2"] }));
    expect(await post(hook("/rebind", "rebind.example.com"))).toMatchObject({ status: 204 });
    // One query for each address family, and none when the connection is opened.
    expect(dns.questions.toSorted()).toEqual(["A rebind.example.com", "AAAA rebind.example.com"]);
    expect(forbidden.received).toEqual([]);
    expect(await post(hook("/rebind", "rebind.example.com"))).toMatchObject({ status: null });
    expect(forbidden.received).toEqual([]);
  });

  it("does not follow redirects", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.on("/redirect", (response) =>
        response.writeHead(status, { Location: `${forbidden.url}/inside` }).end(),
      );
      expect(await post(hook("/redirect"))).toMatchObject({ status });
    }
    expect(forbidden.received).toEqual([]);
  });

  it("ignores proxies in the environment", async () => {
    vi.stubEnv("HTTP_PROXY", forbidden.url);
    vi.stubEnv("http_proxy", forbidden.url);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    expect(await post(hook("/direct"))).toMatchObject({ status: 204 });
    expect(forbidden.received).toEqual([]);
  });

  it("reports the same error for unknown, empty and internal names", async () => {
    dns.names.set("fails.example.com", "SERVFAIL");
    dns.names.set("empty.example.com", {});
    dns.names.set("inner.example.com", { A: ["10.3.4.5"] });
    for (const name of ["nowhere.example.com", "empty.example.com", "inner.example.com"]) {
      expect(await post(hook("/", name))).toEqual({ status: null, error: NO_PUBLIC_ADDRESS_MESSAGE });
    }
    expect(await post(hook("/", "fails.example.com"))).toMatchObject({
      error: "fails.example.com: the name servers answered with a failure",
    });
  });

  it("uses IPv4 when the name server fails for IPv6", async () => {
    dns.names.set("half.example.com", (type) => (type === "A" ? { A: ["127.0.0.1"] } : "SERVFAIL"));
    expect(await post(hook("/half-name", "half.example.com"))).toMatchObject({ status: 204 });
  });

  it("reads at most 64 KB of an endless response", async () => {
    let hungUp = false;
    receiver.on("/endless", (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(16_384)), 5);
      response.on("close", () => {
        hungUp = true;
        clearInterval(timer);
      });
    });
    const result = await post(hook("/endless"));
    expect(result).toMatchObject({ status: 200, cut: "the answer was longer than 64 KB" });
    expect(result.status !== null && result.body.byteLength).toBe(65_536);
    await expect.poll(() => hungUp).toBe(true);
  });

  it("fails safely if the receiver resets the connection, does not speak HTTP, floods headers or switches protocols", async () => {
    receiver.on("/reset", (_response, request) => request.socket.resetAndDestroy());
    receiver.on("/flood", (response) => response.writeHead(200, { "x-flood": "y".repeat(20_000) }).end());
    receiver.on("/upgrade", (response) =>
      response.writeHead(101, { Connection: "Upgrade", Upgrade: "x" }).end(),
    );
    receiver.on("/half", (response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("half");
      setTimeout(() => response.destroy(), 50);
    });
    const noise = createServer((socket) => void socket.end("SSH-2.0-OpenSSH\r\n"));
    const noisePort = await listen(noise);
    for (const [url, expected] of [
      [hook("/reset"), { status: null, error: "the connection broke off before an answer came" }],
      [hook("/flood"), { status: null }],
      [hook("/upgrade"), { status: null }],
      [hook("/half"), { status: 200, cut: "the answer broke off" }],
      [`http://127.0.0.1:${noisePort}/`, { status: null, error: "the answer is not valid HTTP" }],
      ["http://127.0.0.1:1234/", { status: null, error: "the connection was refused" }],
    ] as const) {
      expect(await post(url), url).toMatchObject(expected);
    }
    noise.close();
  });

  it("ends after 15 seconds if the receiver, its response body or the name server hangs", async () => {
    receiver.on("/hang", () => {});
    receiver.on("/trickle", (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 500);
      response.on("close", () => clearInterval(timer));
    });
    dns.names.set("silent.example.com", "silence");
    const startedAt = Date.now();
    const [hang, trickle, silent] = await Promise.all([
      post(hook("/hang")),
      post(hook("/trickle")),
      post(hook("/", "silent.example.com")),
    ]);
    expect(hang).toMatchObject({ status: null, error: "no answer within 15 s" });
    expect(trickle).toMatchObject({ status: 200, cut: "the answer did not end within 15 s" });
    expect(silent).toMatchObject({ status: null, error: expect.stringContaining("silent.example.com") });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  it("ends early if its signal is aborted", async () => {
    receiver.on("/early", () => {});
    const startedAt = Date.now();
    expect(await post(hook("/early"), AbortSignal.timeout(200))).toMatchObject({ status: null });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });
});

it("resolves localhost and its subdomains without DNS, but not a name that only ends with the same letters", async () => {
  const otherNames = ["evillocalhost", "evil-localhost", "localhost.example.com"];
  for (const name of otherNames) dns.names.set(name, { A: ["192.0.2.7"] });
  for (const name of ["localhost", "localhost.", "shop.localhost", "a.b.localhost."]) {
    expect(await resolveAddresses(name, [dns.address])).toEqual(["127.0.0.1", "::1"]);
  }
  expect(dns.questions).toEqual([]);
  for (const name of otherNames) expect(await resolveAddresses(name, [dns.address])).toEqual(["192.0.2.7"]);
});
