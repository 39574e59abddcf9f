import { expect, inject, onTestFinished, test } from "vitest";
import { Client } from "#e2e/support/client.ts";
import { requestQr, userIdOf } from "#e2e/support/login.ts";
import { startApp } from "#e2e/support/start-app.ts";
import { TestWallet } from "#e2e/support/test-wallet.ts";

const SECRET = "the secret that signs the tokens of this test";

test("a whole login, its refusals and its end leave no secret, cookie, signature or full sid in the log", async () => {
  const app = await startApp({
    DATABASE_URL: inject("databaseUrl"),
    NEXTAUTH_SECRET: SECRET,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "trace",
  });
  onTestFinished(() => app.stop());
  const wallet = new TestWallet();
  const browser = new Client(app.url);
  const { sid, challenge } = await requestQr(browser);
  const cookies = () => [...browser.cookies.values()];
  const deliveries = [
    wallet.delivery(challenge, { signature: wallet.sign("another text") }),
    wallet.delivery(challenge),
  ];
  for (const delivery of deliveries) await new Client(app.url).post("/webhook/login", delivery);
  const second = await requestQr(browser, "register", sid);
  const accepted = wallet.delivery(second.challenge);
  await new Client(app.url).post("/webhook/register", accepted);
  await new Client(app.url).post("/webhook/register", accepted);
  await new Client(app.url).signIn("svc", sid);
  const early = cookies();
  expect((await browser.signIn("svc", sid)).status).toBe(200);
  expect(await userIdOf(browser)).not.toBeNull();
  const held = cookies();
  await browser.fetch(`/api/svc/check?sid=${sid}`);
  await browser.fetch("/dashboard");
  await browser.fetch("/api/account/sessions", { method: "DELETE" });
  expect(await userIdOf(browser)).toBeNull();
  await app.stop();

  const output = app.output();
  expect(output).toContain("login authenticated");
  const signatures = [...deliveries, accepted].map(({ signature }) => signature);
  const secrets = [sid, SECRET, ...early, ...held, ...signatures].map((value) => decodeURIComponent(value));
  for (const secret of new Set(secrets)) {
    // Cookies of a few characters would be found by chance.
    if (secret.length >= 16 && !secret.startsWith("http")) expect(output).not.toContain(secret);
  }
  for (const line of output.split("\n").filter((text) => text.startsWith("{"))) {
    expect(() => JSON.parse(line)).not.toThrow();
  }
});
