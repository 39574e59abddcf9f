import { type Customer, type CustomerOptions, createCustomer } from "../customer/customer.ts";
import { databaseStore, HOSTED_LOGINS } from "../customer/store/database-store.ts";
import { countClient, type LoginKind, READ, type Routes } from "./answer-login.ts";
import { type Login, mountLogin } from "./create-login.ts";
import type { HostedEnv } from "./read-hosted-env.ts";
import { runForSite } from "./runtime.ts";
import type { LoginOptions, Site } from "./site.ts";

export type HostedLoginOptions = LoginOptions &
  Pick<HostedEnv, "apiUrl" | "apiKey" | "webhookSecrets"> &
  Pick<CustomerOptions, "onUndone">;

/** A hosted login, as a Next.js site uses it. `routes` answers `/api/svc/*` and `/.well-known/svc-login`. */
export type HostedLogin = Omit<Login<number | string>, "recovery" | "account"> & Pick<Customer, "redeem">;

/**
 * The customer's side of a hosted login, for a site on Next.js with NextAuth and PostgreSQL. It is set up at the start,
 * or at the first request, and kept once a process.
 * @param setUp says what the login works with
 */
export function createHostedLogin(setUp: () => Promise<HostedLoginOptions>): HostedLogin {
  const { opened, ...login } = mountLogin(setUp, hostedKind);
  return {
    ...login,
    redeem: (headers, sid) => runForSite(async () => (await opened()).kind.customer.redeem(headers, sid)),
  };
}

function hostedKind(site: Site, options: HostedLoginOptions): LoginKind & { customer: Customer } {
  const { core, onFailure } = site;
  const { apiUrl, apiKey, webhookSecrets, onUndone } = options;
  const store = databaseStore(core.database);
  const customer = createCustomer({
    ...{ apiUrl, apiKey, webhookSecrets, store, onUndone, onFailure },
    ...{ origin: core.origin, afterLogin: core.afterLogin, now: core.now, onStep: core.onStep },
  });
  // A code is asked of the API before the database: it is counted first.
  const routes: Routes = {
    "/api/svc/qr": {
      methods: READ,
      limit: "customer-qr",
      handle: (call) =>
        customer.qr({ ...call, countSession: () => countClient(site, "customer-session", call) }),
    },
    "/api/svc/check": { methods: READ, limit: "check", handle: customer.check },
    // Every event comes from the API's one address.
    "/api/svc/webhook": { methods: ["POST"], handle: customer.webhook },
    "/.well-known/svc-login": {
      methods: READ,
      limit: "check",
      handle: async () => customer.delegation(),
    },
  };
  return {
    ...{ customer, routes, flows: { hosted: HOSTED_LOGINS }, prune: () => store.prune(core.now()) },
    async forget({ browserHash }) {
      if (browserHash !== null) await store.forget(browserHash);
    },
  };
}
