import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSelfSignedCertificate } from "../../../e2e/support/certificate.ts";
import { type NameProxy, startNameProxy } from "../../../e2e/support/name-proxy.ts";
import { listen } from "../../../tools/kit/start-server.ts";
import { formatDelegation } from "../delegation-file.ts";
import { formatLoginCode, runWallet } from "./run-wallet.fixture.ts";

/** The names of the site and the API resolve to this machine through the proxy that Node reads from its environment. */

const FILE = "/.well-known/svc-login";
const json = { "content-type": "application/json" };

let folder = "";
let proxy: NameProxy;
let server: Server;
let site: (response: ServerResponse) => void;
let published: string;
/** `host path` of each request. */
let requests: string[] = [];

const listener: RequestListener = (request, response) => {
  const { host = "", "content-type": type } = request.headers;
  requests.push(`${request.method} ${host.replace(/:\d+$/, "")}${request.url?.split("?")[0]}`);
  if (request.url === FILE) return site(response);
  // Other tests check the API.
  response.writeHead(type === "application/json" ? 200 : 415, json).end('{"status":"authenticated"}');
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wallet "));
  proxy = await startNameProxy();
  const certificate = createSelfSignedCertificate(["shop.example", "api.svc.example"]);
  writeFileSync(join(folder, "ca.pem"), certificate.cert);
  server = createServer(certificate, listener);
  const port = await listen(server);
  for (const name of ["shop.example:443", "api.svc.example:443", "stranger.example:443"])
    proxy.ports.set(name, port);
});
beforeEach(() => {
  requests = [];
  proxy.asked.length = 0;
  published = formatDelegation("shop.example", ["api.svc.example"]);
  site = (response) => response.writeHead(200, json).end(published);
});
afterAll(async () => {
  server.close();
  await proxy.close();
  rmSync(folder, { recursive: true });
});

let wallets = 0;
const newWallet = () => join(folder, `seed-${++wallets}.json`);
const code = (parts: Partial<Parameters<typeof formatLoginCode>[0]> = {}) =>
  formatLoginCode({
    webhook: "https://api.svc.example/webhook/sessions/1",
    domain: "shop.example",
    ...parts,
  });

async function login(payload: string, seedFile = newWallet(), ca = join(folder, "ca.pem")) {
  const { lastLine, ...rest } = await runWallet(["login", payload, "--json", "--seed-file", seedFile], {
    env: {
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: ca,
      APP_URL: "",
    },
  });
  return { ...rest, answer: JSON.parse(lastLine) };
}

describe("a site that names its API", () => {
  test("receives the answer at its API over HTTPS after the wallet has shown both hosts", async () => {
    const seedFile = newWallet();
    const first = await login(code(), seedFile);
    expect(first).toMatchObject({ status: 0, answer: { ok: true, status: 200 } });
    expect(first.out).toMatch(
      /Asking {3}https:\/\/shop\.example\/\.well-known\/svc-login\nDomain {3}shop\.example\n[\s\S]*Webhook {2}api\.svc\.example\n[\s\S]*Named {4}shop\.example says that api\.svc\.example may receive its answers/,
    );
    const question = "GET api.svc.example/webhook/sessions/1";
    expect(requests).toEqual([
      `GET shop.example${FILE}`,
      question,
      "POST api.svc.example/webhook/sessions/1",
    ]);
    const second = await login(code(), seedFile);
    expect(second).toMatchObject({ status: 0 });
    expect(second.out).not.toContain("Asking");
    // The wallet also remembers that the API does not describe browsers, so it does not ask again.
    expect(requests.slice(3)).toEqual(["POST api.svc.example/webhook/sessions/1"]);

    // The answer now goes to the site's own host, so the wallet reports a change.
    const changedCode = await login(code({ webhook: "https://shop.example/webhook/sessions/2" }), seedFile);
    expect(changedCode).toMatchObject({ status: 0 });
    expect(changedCode.out).toContain("Changed  until now, answers for shop.example went to api.svc.example");
  });
});

describe("a site that does not name its API", () => {
  test("is refused if its certificate is for the wrong name or from an unknown authority", async () => {
    const stranger = await login(code({ domain: "stranger.example" }));
    expect(stranger).toMatchObject({ status: 1, answer: { code: "webhook_host" } });
    expect(stranger.err).toMatch(/certificate is not valid/);
    expect(await login(code(), newWallet(), "")).toMatchObject({
      status: 1,
      answer: { code: "webhook_host" },
    });
    expect(requests).toEqual([]);
  });
});
