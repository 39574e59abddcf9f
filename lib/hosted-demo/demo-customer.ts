import { z } from "zod";
import { listSessionAuditEntries } from "#lib/account/store/history.ts";
import { API_BASE_PATHS } from "#lib/hosted/contract/tenant.ts";
import { getDelivery, listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { findTenant } from "#lib/hosted/tenants/find-tenant.ts";
import { AFTER_LOGIN_PATH, subscribeToLogin } from "#lib/login.ts";
import { database, db } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { createClientLimit } from "#lib/platform/http/rate-limit.ts";
import { log } from "#lib/platform/log.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { requireClient } from "#packages/login/http/client-address.ts";
import type { LimitName } from "#packages/login/http/request-limit.ts";
import {
  type Customer,
  type CustomerCall,
  createCustomer,
} from "#packages/login/plugins/customer/customer.ts";
import type { ApiCall } from "#packages/login/plugins/customer/hosted-api-client.ts";
import { databaseStore } from "#packages/login/plugins/customer/store/database-store.ts";
import { streamLoginEvents } from "#packages/login/plugins/events/events.ts";
import { now, processSingleton } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { requireSid } from "#packages/login/server/web-request.ts";
import { DEMO_DOMAIN, DEMO_TENANT_NAME, deriveDemoApiKey, deriveDemoWebhookSecret } from "./set-up-demo.ts";

/** Like any other customer, it uses the package and calls the API over HTTP. */
export const demoCustomer = processSingleton("demo-customer", (): Customer => {
  const origin = env().APP_URL;
  return createCustomer({
    apiUrl: new URL(API_BASE_PATHS.test, origin),
    apiKey: deriveDemoApiKey(),
    webhookSecrets: [deriveDemoWebhookSecret()],
    origin,
    domain: DEMO_DOMAIN,
    store: databaseStore(database()),
    afterLogin: AFTER_LOGIN_PATH,
    now,
    onFailure: (message, error) => log().warn({ error }, `demo customer: ${message}`),
  });
});

/** Returns 404 if the demo is off. */
export function createDemoEndpoint(
  limit: LimitName,
  handle: (customer: Customer, call: CustomerCall) => Promise<Response>,
) {
  return createEndpoint({ limit }, async (call) => {
    if (!env().HOSTED_DEMO) throw refusal("not_found", "The demo is switched off here.");
    const countSession = () => call.count(createClientLimit("customer-session", call.request));
    return handle(demoCustomer(), { ...call, client: requireClient(call.request), countSession });
  });
}

/**
 * For `/login/hosted`. Only the browser that started the login can see the trace, which contains neither the API key
 * nor the secret.
 */

const ENTRIES_SHOWN = 20;
const EVENTS_SHOWN = 5;

export async function issueCodeWithTrace(customer: Customer, call: CustomerCall): Promise<Response> {
  const calls: ApiCall[] = [];
  const response = await customer.qr({ ...call, onApiCall: (apiCall) => calls.push(apiCall) });
  const cookie = response.headers.get("Set-Cookie") ?? "";
  return jsonResponse(response.status, { ...(await response.json()), calls }, { "Set-Cookie": cookie });
}

/** Sends the status now and after every change. */
export async function watchHostedLogin(customer: Customer, call: CustomerCall): Promise<Response> {
  const { request } = call;
  const sid = requireSid(call.query);
  const browser = { request, client: requireClient(request) };
  return streamLoginEvents(subscribeToLogin, browser, sid, () => customer.status(request.headers, sid));
}

/**
 * The wallet's answers, the event with every attempt to send it, and when the login was redeemed.
 * @throws {Refusal} like `check`: 404 for another browser's login, 410 after an undo
 */
export async function readTrace(customer: Customer, call: CustomerCall): Promise<Response> {
  const sid = requireSid(call.query);
  await customer.check(call);
  const tenantId = (await findTenant(DEMO_TENANT_NAME))?.id ?? "";
  const tenant = { tenantId, mode: "test" } as const;
  const { deliveries } = await listDeliveries(tenant, { limit: EVENTS_SHOWN, session_id: sid });
  const events = await Promise.all(deliveries.map(({ id }) => getDelivery(tenant, id)));
  const entries = await listSessionAuditEntries(sid, ENTRIES_SHOWN);
  const login = await db().hostedLogin.findUnique({
    where: { sessionId: sid },
    select: { redeemedAt: true },
  });
  return jsonResponse(200, {
    answers: entries
      .filter(({ kind }) => kind === "delivered" || kind === "refused")
      .map(({ at, kind, reason }) => ({ at, accepted: kind === "delivered", reason })),
    events: events.map(({ event, url, body, attempts }) => ({
      event,
      path: new URL(url).pathname,
      body: withoutDevice(body),
      attempts: attempts.map(({ at, status, error, latency_ms, headers }) => ({
        at,
        status,
        error,
        latency_ms,
        headers,
      })),
    })),
    redeemed_at: login?.redeemedAt ?? null,
  });
}

const Body = z.looseObject({ data: z.looseObject({ device_info: z.unknown() }) });

/**
 * Only the site's server may see the wallet's description of its device. Someone else's wallet might have answered a
 * relayed QR code.
 */
function withoutDevice(text: string): unknown {
  const { data, ...envelope } = Body.parse(JSON.parse(text));
  return { ...envelope, data: { ...data, device_info: "…" } };
}
