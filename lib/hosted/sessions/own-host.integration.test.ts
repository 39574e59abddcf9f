import { readFileSync } from "node:fs";
import { checkPayload } from "@svc/wallet/check-payload";
import { parseDelegation } from "@svc/wallet/delegation-file";
import { readPayload } from "@svc/wallet/read-payload";
import { expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { hasNginx, runNginx } from "#e2e/support/nginx.ts";
import { databaseUrl, url } from "#e2e/support/test-apps.ts";
import { startReceiver } from "#tools/kit/receiver.ts";
import { findFreePort } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** docs/delegation.md#your-own-host-name-in-front */

const GUIDE = readFileSync(new URL("../../../docs/delegation.md", import.meta.url), "utf8");

/** Returns the guide's first code block in a language that contains `text`. */
function block(language: string, text: string): string {
  const blocks = [...GUIDE.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const found = blocks.find(([, name, code]) => name === language && code?.includes(text))?.[2];
  if (found === undefined) throw new Error(`no ${language} with ${text} in the guide`);
  return found;
}

async function startSite(locations: string) {
  const port = await findFreePort();
  const nginx = await runNginx(
    `pid logs/nginx.pid; events {} http { access_log off; server { listen 127.0.0.1:${port}; ${locations} } }`,
    port,
  );
  return { port, stop: nginx.stop };
}

test("lets a wallet answer at the customer's own host through the proxy from the guide", async ({
  skip,
  onTestFinished,
}) => {
  skip(!hasNginx(), "nginx is not installed here");
  const proxy = block("nginx", "proxy_pass");
  expect(proxy).toContain("proxy_pass https://api.svc.example;");
  const site = await startSite(proxy.replace("https://api.svc.example", url));
  onTestFinished(site.stop);
  const program = block("js", "throughOwnHost");
  const { throughOwnHost } = await import(`data:text/javascript,${encodeURIComponent(program)}`);

  const customer = await newCustomer(url, databaseUrl);
  await customer.registerDomain(databaseUrl, {
    domain: "shop.localhost",
    webhookUrl: "https://hooks.example.com/",
  });
  const session = await customer.createSession("shop.localhost");
  const payload = readPayload(throughOwnHost(session.qr_data, `http://shop.localhost:${site.port}`));
  expect(payload).toMatchObject({ session: session.id, challenge: session.challenge });
  // This wallet trusts no host and does not check with any site.
  checkPayload(payload, { now: Date.now() / 1000 });

  const { pathname } = new URL(payload.webhook);
  const answer = await fetch(`http://127.0.0.1:${site.port}${pathname}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(new TestWallet().response(session.challenge)),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(await (await customer.get(`/sessions/${session.id}`)).json()).toMatchObject({
    status: "authenticated",
  });
  const apiResponse = await fetch(`http://127.0.0.1:${site.port}/v1/openapi.json`);
  expect(apiResponse.status).toBeGreaterThanOrEqual(400);
});

test("forwards no cookies or credentials in either direction through the proxy from the guide", async ({
  skip,
  onTestFinished,
}) => {
  skip(!hasNginx(), "nginx is not installed here");
  const api = await startReceiver();
  onTestFinished(() => api.close());
  api.on("/webhook/sessions/1", (response) =>
    response
      .writeHead(200, {
        "Set-Cookie": "api=1",
        "Strict-Transport-Security": "max-age=9",
        "X-Request-Id": "7",
      })
      .end(),
  );
  const site = await startSite(block("nginx", "proxy_pass").replace("https://api.svc.example", api.url));
  onTestFinished(site.stop);
  const answer = await fetch(`http://127.0.0.1:${site.port}/webhook/sessions/1`, {
    method: "POST",
    headers: {
      Cookie: "session=secret",
      Authorization: "Basic c2VjcmV0",
      "Content-Type": "application/json",
    },
    body: "{}",
  });
  expect(answer.headers.get("x-request-id")).toBe("7");
  for (const name of ["set-cookie", "strict-transport-security"])
    expect(answer.headers.has(name)).toBe(false);
  const { headers, body } = await api.nth("/webhook/sessions/1", 1);
  expect(headers).not.toHaveProperty("cookie");
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).toMatchObject({ host: "api.svc.example", "content-type": "application/json" });
  expect(body.toString()).toBe("{}");
});

test("serves the guide's delegation file through nginx in a form that wallets accept", async ({
  skip,
  onTestFinished,
}) => {
  skip(!hasNginx(), "nginx is not installed here");
  const site = await startSite(block("nginx", "/.well-known/svc-login"));
  onTestFinished(site.stop);
  const response = await fetch(`http://127.0.0.1:${site.port}/.well-known/svc-login`);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const answer = {
    status: response.status,
    contentType: response.headers.get("content-type"),
    body: new Uint8Array(await response.arrayBuffer()),
  };
  expect(parseDelegation(answer, "shop.example")).toEqual({ status: "ok", hosts: ["api.svc.example"] });
});
