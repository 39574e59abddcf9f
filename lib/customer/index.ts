/** The customer's side of a hosted login: what `@svc/login/hosted` exports (docs/hosted-customer.md). */
export { createHostedLogin, type HostedLogin, type HostedLoginOptions } from "./create-hosted-login.ts";
export { type Customer, type CustomerOptions, createCustomer } from "./customer.ts";
export { type HostedEnv, readHostedEnv } from "./read-hosted-env.ts";
export { databaseStore } from "./store/database-store.ts";
export type { HostedStore } from "./store/hosted-store.ts";
export { memoryStore } from "./store/memory-store.ts";
export { verifyWebhook, webhookKey } from "./verify-webhook.ts";
