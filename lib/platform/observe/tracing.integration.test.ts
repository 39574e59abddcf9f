import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { newCustomer, newDomainName } from "#e2e/support/customer.ts";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { readUserId, requestQr } from "#tools/kit/login.ts";
import { type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const Value = z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() });
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: z.array(z.object({ key: z.string(), value: Value })),
});
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});
type Span = z.infer<typeof Span>;
const [SERVER, CLIENT] = [2, 3];

/** Stopping the application makes it send all spans. */
async function startTraced() {
  const collector = await startReceiver();
  onTestFinished(() => collector.close());
  collector.on("/v1/traces", (response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}"),
  );
  // A separate database, because other processes on a shared one would send the event.
  const database = await createMigratedDatabase();
  onTestFinished(() => database.close());
  const app = await startApp({
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=secret-of-the-collector",
  });
  onTestFinished(() => app.stop());
  return { app, collector, database };
}

const readSpans = ({ received }: Receiver): Span[] =>
  received.flatMap(({ body }) =>
    Export.parse(JSON.parse(body.toString())).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
const attribute = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((attribute) => attribute.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

describe("with OTEL_EXPORTER_OTLP_ENDPOINT set", () => {
  test("creates spans for the routes and statements of a login and its event, without secrets", {
    timeout: 180_000,
  }, async () => {
    const { app, collector, database } = await startTraced();
    const wallet = new TestWallet();
    const browser = new Client(app.url);
    const { sid, challenge } = await requestQr(browser, "register");
    const traceId = randomBytes(16).toString("hex");
    const delivery = wallet.response(challenge);
    const traceparent = `00-${traceId}-${randomBytes(8).toString("hex")}-01`;
    const response = await new Client(app.url).post("/webhook/register", delivery, { traceparent });
    expect(response.status).toBe(200);
    await browser.fetch(`/api/svc/check?sid=${sid}`);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await readUserId(browser)).not.toBeNull();
    await browser.fetch("/dashboard");
    await browser.fetch("/dashboard?sid=not-a-sid-of-ours");

    const customer = await newCustomer(app.url, database.url);
    const path = "/events?receiver=its-own-secret";
    const domain = newDomainName();
    const registration = await customer.post("/domains", {
      domain,
      webhook_url: `${collector.url}${path}`,
    });
    const { webhook_secret: webhookSecret } = await registration.json();
    const session = await customer.createSession(domain);
    await new Client(app.url).post(`/webhook/sessions/${session.id}`, wallet.response(session.challenge));
    const sentEvents = async () =>
      (await (await customer.get("/deliveries?status=delivered")).json()).deliveries;
    await expect.poll(sentEvents).toHaveLength(1);
    collector.received.splice(
      collector.received.findIndex((request) => request.path === path),
      1,
    );
    await app.stop();

    const spans = readSpans(collector);
    const spanNamed = (name: string) => spans.find((span) => span.name === name);
    const childrenOf = (parents: (Span | undefined)[]) =>
      spans.filter(({ parentSpanId }) => parents.some((span) => span?.spanId === parentSpanId));
    const request = spanNamed("POST /webhook/register");
    expect(request).toMatchObject({ kind: SERVER, traceId });
    expect(attribute(request, "http.route")).toBe("/webhook/register");
    expect(attribute(request, "http.response.status_code")).toBe(200);
    expect(attribute(request, "svc.request_id")).toBe(response.headers.get("x-request-id"));
    const [statement] = childrenOf([request]);
    expect(statement).toMatchObject({ kind: CLIENT, traceId, name: "accept+count" });
    expect(childrenOf([spanNamed("POST /api/auth/callback/svc")]).map(({ name }) => name)).toContain(
      "redeem",
    );
    const pages = spans.filter(({ name }) => name === "GET /dashboard");
    expect(childrenOf(pages).length).toBeGreaterThan(0);
    expect(spanNamed("POST /webhook/sessions/:id")).toBeDefined();
    const eventSpan = spanNamed("POST event");
    expect(eventSpan).toMatchObject({ kind: CLIENT });
    expect(attribute(eventSpan, "http.response.status_code")).toBe(204);
    expect(attribute(eventSpan, "server.address")).toBe("127.0.0.1");

    const everything = collector.received.map(({ body }) => body.toString()).join("\n");
    const secrets = [
      ...[sid, challenge, session.id, session.challenge, delivery.signature, delivery.public_key],
      ...[customer.key, webhookSecret, "its-own-secret", "not-a-sid-of-ours", "secret-of-the-collector"],
      ...[...browser.cookies.values()].filter((value) => value.length >= 16 && !value.startsWith("http")),
    ];
    for (const secret of secrets) expect(everything).not.toContain(secret);

    const lines = app
      .output()
      .split("\n")
      .filter((line) => line.includes("login authenticated"));
    expect(lines.some((line) => JSON.parse(line).traceId === traceId)).toBe(true);
  });
});
