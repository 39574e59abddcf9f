import { AFTER_LOGIN } from "#lib/account/login.ts";
import { BASE_PATHS } from "#lib/hosted/contract/tenant.ts";
import { type Customer, type CustomerCall, createCustomer } from "#lib/login/customer/customer.ts";
import { databaseStore } from "#lib/login/customer/store/database-store.ts";
import { requireClient } from "#lib/login/http/client-address.ts";
import type { LimitName } from "#lib/login/http/request-limit.ts";
import { now, processSingleton } from "#lib/login/process/state.ts";
import { refusal } from "#lib/login/protocol/errors.ts";
import { database } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";
import { log } from "#lib/platform/log.ts";
import { DEMO_DOMAIN, demoApiKey, demoWebhookSecret } from "./set-up-demo.ts";

/**
 * A customer of the hosted API that this application is itself: it calls the API over HTTP, with the package that any
 * customer uses. The API records the steps of its logins.
 */
export const demoCustomer = processSingleton("demo-customer", (): Customer => {
  const origin = env().APP_URL;
  return createCustomer({
    apiUrl: new URL(BASE_PATHS.test, origin),
    apiKey: demoApiKey(),
    webhookSecrets: [demoWebhookSecret()],
    origin,
    domain: DEMO_DOMAIN,
    store: databaseStore(database()),
    afterLogin: AFTER_LOGIN,
    now,
    onFailure: (message, error) => log().warn({ error }, `demo customer: ${message}`),
  });
});

/** Mounts what the demo customer answers to browsers; 404 where the demo is switched off. */
export function demoEndpoint(
  limit: LimitName,
  handle: (customer: Customer, call: CustomerCall) => Promise<Response>,
) {
  return endpoint({ limit }, async (call) => {
    if (!env().HOSTED_DEMO) throw refusal("not_found", "The demo is switched off here.");
    const countSession = () => call.count(limitOfClient("customer-session", call.request));
    return handle(demoCustomer(), { ...call, client: requireClient(call.request), countSession });
  });
}
