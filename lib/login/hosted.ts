/** The customer's side of a hosted login: what `@svc/login/hosted` exports (docs/hosted-customer.md). */
export { type Customer, type CustomerOptions, createCustomer } from "./customer/customer.ts";
export { databaseStore } from "./customer/store/database-store.ts";
export type { HostedStore } from "./customer/store/hosted-store.ts";
export { memoryStore } from "./customer/store/memory-store.ts";
export { verifyWebhook, webhookKey } from "./customer/verify-webhook.ts";
export {
  createHostedLogin,
  type HostedLogin,
  type HostedLoginOptions,
} from "./site/create-hosted-login.ts";
export { type HostedEnv, readHostedEnv } from "./site/read-hosted-env.ts";
export { pgDatabase } from "./store/database.ts";
