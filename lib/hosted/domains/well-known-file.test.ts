import { once } from "node:events";
import { createServer, type Server } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { selfSignedCertificate } from "#e2e/support/certificate.ts";
import { type NameServer, startNameServer } from "#e2e/support/name-server.ts";
import { policyOf } from "#lib/platform/net/outbound-policy.ts";
import { sendRequest } from "#lib/platform/net/send-request.ts";
import { lookForProof } from "./verify-domain.ts";

/** The well-known file and https, by a real server with a certificate of the tests' own. */

const ADDRESS = "127.0.0.77";
const TOKEN = "svc-verify=abcdefghijklmnopqrstuvwxyz012345";
const FILE = "/.well-known/svc-challenge.txt";

let dns: NameServer;
let server: Server;
let port: number;
let certificate: string;
let answer: { status: number; body: string; headers?: Record<string, string> };
const asked: { host: string; servername: string; path: string }[] = [];
const trusted = getCACertificates("default");

beforeAll(async () => {
  const { key, cert } = selfSignedCertificate(["shop.example.com", "www.example.com"]);
  certificate = cert;
  setDefaultCACertificates([...trusted, certificate]);
  dns = await startNameServer();
  for (const name of ["shop.example.com", "other.example.com"]) dns.names.set(name, { A: [ADDRESS] });
  server = createServer({ key, cert }, (request, response) => {
    const { servername } = request.socket as typeof request.socket & { servername?: string };
    asked.push({ host: request.headers.host ?? "", servername: servername ?? "", path: request.url ?? "" });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  port = (await listenOn(443)) || (await listenOn(0));
});
beforeEach(() => {
  asked.length = 0;
  answer = { status: 200, body: TOKEN };
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.close();
  dns.close();
});

/** The port, or 0 when it cannot be had. */
async function listenOn(wanted: number): Promise<number> {
  try {
    await once(server.listen(wanted, ADDRESS), "listening");
  } catch {
    return 0;
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

const policy = () => policyOf([`${ADDRESS}/32`], [dns.address]);
const look = async (domain = "shop.example.com") => {
  const { proved, findings } = await lookForProof(domain, TOKEN, policy());
  return { proved, file: findings[2] };
};

describe("https", () => {
  const get = (host: string) =>
    sendRequest({ url: `https://${host}:${port}/`, method: "GET", headers: {}, policy: policy() });

  it("names the host to the server and checks its certificate by that name", async () => {
    expect(await get("shop.example.com")).toMatchObject({ status: 200 });
    expect(asked[0]).toMatchObject({ servername: "shop.example.com" });
    expect(asked[0]?.host).toContain("shop.example.com");
  });

  it("is refused with a certificate of another name, or one that nobody trusts", async () => {
    expect(await get("other.example.com")).toMatchObject({
      status: null,
      error: expect.stringContaining("TLS failed"),
    });
    expect(await get(ADDRESS)).toMatchObject({ status: null, error: expect.stringContaining("TLS failed") });
    setDefaultCACertificates(trusted);
    try {
      expect(await get("shop.example.com")).toMatchObject({
        status: null,
        error: expect.stringContaining("TLS failed"),
      });
    } finally {
      setDefaultCACertificates([...trusted, certificate]);
    }
    expect(asked).toEqual([]);
  });
});

describe("the well-known file", () => {
  // https on 443 needs a right that not every user has.
  const needs443 = (skip: (condition: boolean, note: string) => void) =>
    skip(port !== 443, "this user may not listen on port 443");

  it.for([TOKEN, `${TOKEN}\n`, `  ${TOKEN}\r\n`, `\ufeff${TOKEN}`])(
    "proves the domain when its body is the token: %j",
    async (body, { skip }) => {
      needs443(skip);
      answer = { status: 200, body };
      expect(await look()).toMatchObject({ proved: true, file: { found: "the token" } });
      expect(asked).toEqual([{ host: "shop.example.com", servername: "shop.example.com", path: FILE }]);
    },
  );

  it("proves nothing in any other way, and says what was found", async ({ skip }) => {
    needs443(skip);
    const cases: [typeof answer, string][] = [
      [{ status: 200, body: `${TOKEN}6` }, `"${TOKEN}6"`],
      [{ status: 200, body: TOKEN.toUpperCase() }, `${TOKEN.length} characters of another text`],
      [{ status: 200, body: "" }, "an empty file"],
      [{ status: 200, body: `<html>${TOKEN}</html>` }, `${TOKEN.length + 13} characters of another text`],
      [{ status: 200, body: "AWS_SECRET=geheim" }, "17 characters of another text"],
      [{ status: 200, body: `${TOKEN}6\nAWS_SECRET=geheim` }, `"${TOKEN}6…"`],
      [{ status: 200, body: `${TOKEN} geheim` }, `"${TOKEN}…"`],
      [{ status: 200, body: `svc-verify=${"x".repeat(500)}` }, `"svc-verify=${"x".repeat(89)}…"`],
      [{ status: 200, body: `${TOKEN}${" ".repeat(70_000)}` }, `"${TOKEN}"`],
      [{ status: 404, body: TOKEN }, "status 404"],
      [{ status: 201, body: TOKEN }, "status 201"],
      [
        { status: 302, body: TOKEN, headers: { Location: `https://www.example.com${FILE}` } },
        "status 302, and redirects are not followed",
      ],
    ];
    for (const [given, found] of cases) {
      answer = given;
      expect(await look()).toEqual({
        proved: false,
        file: { looked_at: `https://shop.example.com${FILE}`, found },
      });
    }
  });

  it("proves nothing with a certificate of another name", async ({ skip }) => {
    needs443(skip);
    const { proved, file } = await look("other.example.com");
    expect(proved).toBe(false);
    expect(file?.found).toContain("TLS failed");
  });
});
