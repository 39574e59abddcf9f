/** The customer's side of a hosted login: what `@svc/login/hosted` exports (docs/hosted-customer.md). */
export { type Customer, type CustomerOptions, createCustomer } from "#lib/customer/customer.ts";
export { databaseStore } from "#lib/customer/store/database-store.ts";
export type { HostedStore } from "#lib/customer/store/hosted-store.ts";
export { memoryStore } from "#lib/customer/store/memory-store.ts";
export { verifyWebhook, webhookKey } from "#lib/customer/verify-webhook.ts";
export { pgDatabase } from "#lib/login/store/database.ts";
export { createHostedLogin, type HostedLogin, type HostedLoginOptions } from "./create-hosted-login.ts";
export { type HostedEnv, readHostedEnv } from "./read-hosted-env.ts";
