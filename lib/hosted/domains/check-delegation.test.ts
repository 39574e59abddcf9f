import { once } from "node:events";
import { createServer, type Server } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { formatDelegation } from "@svc/wallet/delegation-file";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSignedCertificate } from "#e2e/support/certificate.ts";
import { type NameServer, startNameServer } from "#e2e/support/name-server.ts";
import { NO_PUBLIC_ADDRESS, policyOf } from "#lib/platform/net/outbound-policy.ts";
import { lookForDelegation } from "./check-delegation.ts";

/** What the API sees of a domain's delegation, by a real server with a certificate of the tests' own. */

const ADDRESS = "127.0.0.78";
const DOMAIN = "shop.example.com";
const API = "api.svc.example";
const GOOD = formatDelegation(DOMAIN, ["other.svc.example", API]);
const HEADERS = { "content-type": "application/json", "access-control-allow-origin": "*" };

type Answer = { status?: number; body?: string; headers?: Record<string, string> } | "silence";
let dns: NameServer;
let server: Server;
let listening = true;
let answer: Answer = {};
let asked = 0;
const trusted = getCACertificates("default");

beforeAll(async () => {
  const { key, cert } = selfSignedCertificate([DOMAIN]);
  setDefaultCACertificates([...trusted, cert]);
  dns = await startNameServer();
  dns.names.set(DOMAIN, { A: [ADDRESS] });
  dns.names.set("other.example.com", { A: [ADDRESS] });
  dns.names.set("inside.example.com", { A: ["10.1.2.3"] });
  server = createServer({ key, cert }, (_request, response) => {
    asked++;
    if (answer === "silence") return;
    const { status = 200, body = GOOD, headers = HEADERS } = answer;
    response.writeHead(status, headers).end(body);
  });
  await once(server.listen(443, ADDRESS), "listening").catch(() => {
    listening = false;
  });
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
  dns.close();
});

const policy = () => policyOf([`${ADDRESS}/32`], [dns.address]);
const look = (domain = DOMAIN, mode: "live" | "test" = "live") =>
  lookForDelegation({ domain, mode, apiHost: API }, policy());

describe("a delegation", () => {
  // https on 443 needs a right that not every user has.
  const needs443 = (skip: (condition: boolean, note: string) => void) =>
    skip(!listening, "this user may not listen on port 443");

  it("is ok where the domain names this API", async ({ skip }) => {
    needs443(skip);
    answer = {};
    expect(await look()).toEqual({ status: "ok", reason: null });
  });

  it.for<[string, Answer, string, RegExp]>([
    ["that is not there", { status: 404 }, "missing", /status 404/],
    ["of a server that fails", { status: 500 }, "missing", /status 500/],
    ["behind a redirect", { status: 301, headers: { location: "/" } }, "invalid", /redirect/],
    ["that is a page", { headers: { ...HEADERS, "content-type": "text/html" } }, "invalid", /Content-Type/],
    ["of another domain", { body: formatDelegation("a.example", [API]) }, "invalid", /"domain"/],
    [
      "to somebody else",
      { body: formatDelegation(DOMAIN, ["a.example"]) },
      "invalid",
      /does not name api\.svc\.example/,
    ],
    [
      "to the domain that this API's host is below",
      { body: formatDelegation(DOMAIN, ["svc.example"]) },
      "invalid",
      /does not name api\.svc\.example/,
    ],
    ["of 9 KB", { body: GOOD.padEnd(9 * 1024) }, "invalid", /8 KB/],
    ["of 70 KB", { body: GOOD.padEnd(70 * 1024) }, "invalid", /64 KB/],
    [
      "that wallets in browsers cannot read",
      { headers: { "content-type": "application/json" } },
      "invalid",
      /Allow-Origin/,
    ],
    [
      "of one origin",
      { headers: { ...HEADERS, "access-control-allow-origin": "https://a.example" } },
      "invalid",
      /Allow-Origin/,
    ],
    ["that comes later than a wallet waits", "silence", "missing", /within 3 s/],
  ])("%s is told as what it is", async ([, given, status, reason], { skip }) => {
    needs443(skip);
    answer = given;
    expect(await look()).toEqual({ status, reason: expect.stringMatching(reason) });
  });

  it("of a name without the right certificate is missing", async ({ skip }) => {
    needs443(skip);
    answer = {};
    expect(await look("other.example.com")).toEqual({
      status: "missing",
      reason: expect.stringMatching(/TLS/),
    });
  });

  it("is ok without a question where the domain is the API's own host", async () => {
    const before = asked;
    expect(await look(API)).toEqual({ status: "ok", reason: null });
    expect(asked).toBe(before);
  });

  it("is not asked for inside, and says the same of a name that leads there as of one that does not exist", async () => {
    for (const domain of ["inside.example.com", "nowhere.example.com"]) {
      expect(await look(domain)).toEqual({ status: "missing", reason: NO_PUBLIC_ADDRESS });
    }
  });

  it("is unchecked in test mode where the name cannot be asked from here", async () => {
    for (const domain of ["shop.test", "shop.example", "nowhere.example.com"]) {
      expect(await look(domain, "test")).toEqual({ status: "unchecked", reason: NO_PUBLIC_ADDRESS });
    }
    const publicOnly = policyOf([], [dns.address]);
    expect(await lookForDelegation({ domain: "localhost", mode: "test", apiHost: API }, publicOnly)).toEqual({
      status: "unchecked",
      reason: NO_PUBLIC_ADDRESS,
    });
  });
});
