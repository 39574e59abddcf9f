import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../tools/kit/receiver.ts";
import { createHostedLogin } from "../hosted.ts";
import { SITE_SETTINGS, SiteBrowser, startSite } from "./tests/site.fixture.ts";

let api: Receiver;
const requestedPaths = () => api.received.map(({ path }) => path);

beforeAll(async () => {
  api = await startReceiver("127.0.0.1", 0, (response, _request, { path }) => {
    const [, , , id = randomUUID(), renewed] = path.split("/");
    const code = {
      ...{ id, challenge: "svc:login:shop.example:1:n", qr_data: `svc://auth?session=${id}` },
      expires_at: new Date(Date.now() + 30_000).toISOString(),
    };
    response.writeHead(renewed ? 200 : 201, { "Content-Type": "application/json" }).end(JSON.stringify(code));
  });
  return () => api.close();
});
const site = startSite((databaseUrl) =>
  createHostedLogin(async () => ({
    ...{ ...SITE_SETTINGS, databaseUrl, apiUrl: new URL(`${api.url}/v1`), apiKey: "svc_live_key" },
    webhookSecrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  })),
);

const ask = (browser: SiteBrowser, query = "") => browser.send("GET", `/api/svc/qr${query}`);
const statusesOf = async (times: number, send: () => Promise<Response>) => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < times; attempt++) statuses.push((await send()).status);
  return statuses;
};

test("limits one client to twenty of the customer's hundred sessions a minute", async () => {
  const thief = new SiteBrowser(site().login);
  const before = requestedPaths().length;
  expect(await statusesOf(20, () => ask(thief))).toEqual(Array(20).fill(200));
  const refusal = await ask(thief);
  expect(refusal.status).toBe(429);
  expect((await refusal.json()).error.code).toBe("rate_limited");
  const { headers } = refusal;
  expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["20", "0"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(headers.get("ratelimit-reset")).toBe(headers.get("retry-after"));
  expect(await statusesOf(80, () => ask(thief))).not.toContain(200);
  expect(requestedPaths().length - before).toBe(20);
  expect((await ask(new SiteBrowser(site().login))).status).toBe(200);
});

test("limits a client to sixty new codes a minute, and counts them separately from other requests", async () => {
  const browser = new SiteBrowser(site().login);
  const { sid } = await (await ask(browser)).json();
  const before = requestedPaths().length;
  expect(await statusesOf(60, () => ask(browser, `?sid=${sid}`))).toEqual([...Array(59).fill(200), 429]);
  expect(requestedPaths().slice(before)).toEqual(Array(59).fill(`/v1/sessions/${sid}/refresh`));
});
