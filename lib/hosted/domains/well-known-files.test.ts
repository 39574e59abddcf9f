import { once } from "node:events";
import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { formatDelegation } from "@svc/wallet/delegation-file";
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { createSelfSignedCertificate } from "#e2e/support/certificate.ts";
import { type NameServer, startNameServer } from "#e2e/support/name-server.ts";
import { createOutboundPolicy, NO_PUBLIC_ADDRESS_MESSAGE } from "#lib/platform/net/outbound-policy.ts";
import { sendOutboundRequest } from "#lib/platform/net/send-outbound-request.ts";
import { probeDelegation } from "./check-delegation.ts";
import { findDomainProof } from "./verify-domain.ts";

const ADDRESS = "127.0.0.77";
const DOMAIN = "shop.example.com";
const TOKEN = "svc-verify=abcdefghijklmnopqrstuvwxyz012345";
const FILE = "/.well-known/svc-challenge.txt";
const API = "api.svc.example";
const DELEGATION = formatDelegation(DOMAIN, ["other.svc.example", API]);
const JSON_TYPE = { "content-type": "application/json" };
const HEADERS = { ...JSON_TYPE, "access-control-allow-origin": "*" };

type Answer = { status?: number; body?: string; headers?: Record<string, string> } | "silence";

let dns: NameServer;
let port: number;
let answer: Answer;
const requests: { host: string; servername: string; path: string }[] = [];
const trusted = getCACertificates("default");
const certificate = createSelfSignedCertificate([DOMAIN, "www.example.com"]);
const server = createServer(certificate, (request, response) => {
  const { servername = "" } = request.socket as typeof request.socket & { servername?: string };
  requests.push({ host: request.headers.host ?? "", servername, path: request.url ?? "" });
  if (answer !== "silence") response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
});

beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert]);
  dns = await startNameServer();
  for (const name of [DOMAIN, "other.example.com"]) dns.names.set(name, { A: [ADDRESS] });
  port = (await listenOn(443)) || (await listenOn(0));
});
beforeEach(() => {
  requests.length = 0;
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
  dns.close();
});

/** 0 if the port cannot be opened. */
async function listenOn(requestedPort: number): Promise<number> {
  try {
    await once(server.listen(requestedPort, ADDRESS), "listening");
  } catch {
    return 0;
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

// Not every user is allowed to listen on port 443.
const needs443 = (skip: TestContext["skip"]) => skip(port !== 443, "this user may not listen on port 443");

const policy = () => createOutboundPolicy([`${ADDRESS}/32`], [dns.address]);

describe("an HTTPS request", () => {
  const get = (host: string) =>
    sendOutboundRequest({ url: `https://${host}:${port}/`, method: "GET", headers: {}, policy: policy() });
  const tlsFailure = { status: null, error: expect.stringContaining("TLS failed") };

  it("sends the host name to the server, and checks the server's certificate for that name", async () => {
    answer = {};
    expect(await get(DOMAIN)).toMatchObject({ status: 200 });
    expect(requests).toMatchObject([{ servername: DOMAIN, host: expect.stringContaining(DOMAIN) }]);
  });

  it("rejects a certificate for the wrong name or from an unknown authority", async () => {
    expect(await get("other.example.com")).toMatchObject(tlsFailure);
    expect(await get(ADDRESS)).toMatchObject(tlsFailure);
    setDefaultCACertificates(trusted);
    try {
      expect(await get(DOMAIN)).toMatchObject(tlsFailure);
    } finally {
      setDefaultCACertificates([...trusted, certificate.cert]);
    }
    expect(requests).toEqual([]);
  });
});

describe("the well-known file", () => {
  const look = async (domain = DOMAIN) => {
    const { proved, findings } = await findDomainProof(domain, TOKEN, policy());
    return { proved, file: findings[2] };
  };

  it.for([TOKEN, `${TOKEN}\n`, `  ${TOKEN}\r\n`, `\ufeff${TOKEN}`])(
    "proves the domain if its body is the token: %j",
    async (body, { skip }) => {
      needs443(skip);
      answer = { body };
      expect(await look()).toMatchObject({ proved: true, file: { found: "the token" } });
      expect(requests).toEqual([{ host: DOMAIN, servername: DOMAIN, path: FILE }]);
    },
  );

  it("proves the domain only with a 200 that contains exactly the token, and otherwise the finding gives the reason", async ({
    skip,
  }) => {
    needs443(skip);
    const redirect = { Location: `https://www.example.com${FILE}` };
    for (const [given, found] of [
      [{ body: `${TOKEN}6` }, `"${TOKEN}6"`],
      [{ body: TOKEN.toUpperCase() }, "the token in a different letter case: copy it exactly"],
      [{ body: `"${TOKEN}"` }, "the token in quotation marks: remove them"],
      [{ body: "" }, "an empty file"],
      [{ body: `<html>${TOKEN}</html>` }, "the token with more text around it: remove that"],
      [{ body: "AWS_SECRET=geheim" }, "17 characters of another text"],
      [{ body: `${TOKEN}6\nAWS_SECRET=geheim` }, `"${TOKEN}6…"`],
      [{ body: `${TOKEN} geheim` }, `"${TOKEN}…"`],
      [{ body: `svc-verify=${"x".repeat(500)}` }, `"svc-verify=${"x".repeat(89)}…"`],
      [{ body: `${TOKEN}${" ".repeat(70_000)}` }, `"${TOKEN}"`],
      [{ status: 404, body: TOKEN }, "status 404"],
      [{ status: 201, body: TOKEN }, "status 201"],
      [{ status: 302, headers: redirect }, "status 302, and redirects are not followed"],
    ] as const) {
      answer = given;
      const file = { looked_at: `https://${DOMAIN}${FILE}`, found };
      expect(await look()).toEqual({ proved: false, file });
    }
  });

  it("does not prove the domain with a certificate for the wrong name", async ({ skip }) => {
    needs443(skip);
    const found = expect.stringContaining("TLS failed");
    expect(await look("other.example.com")).toMatchObject({ proved: false, file: { found } });
  });
});

describe("a delegation", () => {
  const look = (domain = DOMAIN, mode: "live" | "test" = "live") =>
    probeDelegation({ domain, mode, apiHost: API }, policy());

  it("is reported as ok if the domain names this API", async ({ skip }) => {
    needs443(skip);
    answer = { body: DELEGATION, headers: HEADERS };
    expect(await look()).toEqual({ status: "ok", reason: null });
  });

  it.for<[string, Answer, string, RegExp]>([
    ["missing", { status: 404 }, "missing", /status 404/],
    ["on a server that fails", { status: 500 }, "missing", /status 500/],
    ["behind a redirect", { status: 301, headers: { ...HEADERS, location: "/" } }, "invalid", /redirect/],
    ["an HTML page", { headers: { ...HEADERS, "content-type": "text/html" } }, "invalid", /Content-Type/],
    ["the file of another domain", { body: formatDelegation("a.example", [API]) }, "invalid", /"domain"/],
    ["for another API", { body: formatDelegation(DOMAIN, ["a.example"]) }, "invalid", /not name api\.svc/],
    [
      "for the API's parent domain",
      { body: formatDelegation(DOMAIN, ["svc.example"]) },
      "invalid",
      /not name api\.svc/,
    ],
    ["9 KB long", { body: DELEGATION.padEnd(9 * 1024) }, "invalid", /8 KB/],
    ["70 KB long", { body: DELEGATION.padEnd(70 * 1024) }, "invalid", /64 KB/],
    ["unreadable for wallets in browsers", { headers: JSON_TYPE }, "invalid", /Allow-Origin/],
    [
      "readable for only one origin",
      { headers: { ...JSON_TYPE, "access-control-allow-origin": "https://a.example" } },
      "invalid",
      /Allow-Origin/,
    ],
    ["sent too late for a wallet", "silence", "missing", /within 3 s/],
  ])(
    "is reported with a specific reason if it cannot be used: %s",
    async ([, given, status, reason], { skip }) => {
      needs443(skip);
      answer = given === "silence" ? given : { body: DELEGATION, headers: HEADERS, ...given };
      expect(await look()).toEqual({ status, reason: expect.stringMatching(reason) });
    },
  );

  it("is reported as missing if the domain has no valid certificate", async ({ skip }) => {
    needs443(skip);
    expect(await look("other.example.com")).toMatchObject({
      status: "missing",
      reason: expect.stringMatching(/TLS/),
    });
  });

  it("is reported as ok without a request if the domain is the API's own host", async () => {
    expect(await look(API)).toEqual({ status: "ok", reason: null });
    expect(requests).toEqual([]);
  });

  it("is reported as unchecked in test mode if the host cannot be reached", async () => {
    const unchecked = { status: "unchecked", reason: NO_PUBLIC_ADDRESS_MESSAGE };
    for (const domain of ["shop.test", "shop.example", "nowhere.example.com"]) {
      expect(await look(domain, "test")).toEqual(unchecked);
    }
    const local = { domain: "localhost", mode: "test", apiHost: API } as const;
    expect(await probeDelegation(local, createOutboundPolicy([], [dns.address]))).toEqual(unchecked);
  });
});
