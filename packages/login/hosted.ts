import { z } from "zod";
import { nextSite } from "./next/next-site.ts";
import { type Customer, type CustomerOptions, createCustomer } from "./plugins/customer/customer.ts";
import { databaseStore, HOSTED_LOGIN_FLOW } from "./plugins/customer/store/database-store.ts";
import { verifyWebhook, webhookKey } from "./plugins/customer/verify-webhook.ts";
import { createSubscribe, streamLoginEvents } from "./plugins/events/events.ts";
import { nextAuth } from "./plugins/next-auth/next-auth.ts";
import { type RequestHeaders, requireSid } from "./server/web-request.ts";
import { countClientRequest, READ_METHODS } from "./site/answer-login.ts";
import { type Login, mountLogin } from "./site/create-login.ts";
import { parseVariables } from "./site/env-values.ts";
import type { CommonOptions } from "./site/options.ts";
import type { Plugin, Routes, Site } from "./site/plugin.ts";
import { type LoginEnv, readLoginEnv } from "./site/read-login-env.ts";

export { pgDatabase } from "./database/database.ts";
/** For a customer of the hosted API (docs/hosted-customer.md). */
export { type HostedStore, memoryStore } from "./plugins/customer/store/hosted-store.ts";
export { type Customer, type CustomerOptions, createCustomer, databaseStore, verifyWebhook, webhookKey };

export type HostedLoginOptions = CommonOptions & HostedOptions;

type HostedOptions = Pick<HostedEnv, "apiUrl" | "apiKey" | "webhookSecrets"> &
  Pick<CustomerOptions, "onUndone">;

declare module "./site/options.ts" {
  interface PluginOptions {
    hosted?: HostedOptions;
  }
}

declare module "./site/plugin.ts" {
  interface LoginExtensions<UserId> {
    hosted: Pick<Customer, "redeem">;
  }
}

/** `routes` handles `/api/svc/*` and `/.well-known/svc-login`. */
export type HostedLogin = Omit<Login<string, "hosted" | "next-auth">, "currentSession"> &
  Pick<Login<number | string, never>, "currentSession">;

/** Each process sets up the login once, when the server starts or on the first request. */
export function createHostedLogin(setUp: () => Promise<HostedLoginOptions>): HostedLogin {
  const { context, ...login } = mountLogin([nextSite(), hostedCustomer(), nextAuth()], async () => {
    const { apiUrl, apiKey, webhookSecrets, onUndone, ...options } = await setUp();
    return { ...options, hosted: { apiUrl, apiKey, webhookSecrets, onUndone } };
  });
  return login as object as HostedLogin;
}

function hostedCustomer(): Plugin<"hosted"> {
  const stores = (site: Site) => databaseStore(site.core.database);
  return {
    name: "hosted",
    routes: customerRoutes,
    flows: () => ({ hosted: HOSTED_LOGIN_FLOW }),
    async onSessionEnd(site, { browserHash }) {
      if (browserHash !== null) await stores(site).forget(browserHash);
    },
    prune: (site) => stores(site).prune(site.core.now()),
    extend: ({ run }) => ({
      redeem: (headers: RequestHeaders, sid: string) => run((site) => customerOf(site).redeem(headers, sid)),
    }),
  };
}

const customers = new WeakMap<Site, Customer>();

function customerOf(site: Site): Customer {
  const { core, options, onFailure } = site;
  if (!options.hosted) throw new Error("createHostedLogin gives the options of the hosted API");
  const customer =
    customers.get(site) ??
    createCustomer({
      ...options.hosted,
      store: databaseStore(core.database),
      origin: core.origin,
      afterLogin: core.afterLogin,
      now: core.now,
      onStep: core.onStep,
      onFailure,
    });
  customers.set(site, customer);
  return customer;
}

function customerRoutes(site: Site): Routes {
  const customer = customerOf(site);
  const subscribe = createSubscribe(site);
  // The handlers call the API before they use the database, so requests are counted before the handlers run.
  return {
    "/api/svc/qr": {
      methods: READ_METHODS,
      limit: "customer-qr",
      handle: (call) =>
        customer.qr({ ...call, countSession: () => countClientRequest(site, "customer-session", call) }),
    },
    "/api/svc/check": { methods: READ_METHODS, limit: "check", handle: customer.check },
    "/api/svc/events": {
      methods: ["GET"],
      limit: "events",
      handle: (call) => {
        const sid = requireSid(call.query);
        return streamLoginEvents(subscribe, call, sid, () => customer.status(call.request.headers, sid));
      },
    },
    // This route has no limit, because all events come from the API's IP address.
    "/api/svc/webhook": { methods: ["POST"], handle: customer.webhook },
    "/.well-known/svc-login": {
      methods: READ_METHODS,
      limit: "check",
      handle: async () => customer.delegation(),
    },
  };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const ApiUrl = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
    return isSafe && !url.username && !url.search && !url.hash;
  }, "expected the hosted API's base, https://… (http://… only on this machine, because the key is sent there)")
  .transform((text) => new URL(text));

const ApiKey = z
  .string(
    'required: the key that this server calls the hosted API with, svc_test_… or svc_live_…; make one in the console of the hosted API under "Keys", or where the API runs with `npm run admin -- api-key create --mode test --name "my site"`',
  )
  .regex(/^svc_(test|live)_[\x21-\x7e]+$/, "expected svc_test_… or svc_live_…, as it was shown once");

const WebhookSecret = z
  .string(
    "required: the secret of your domain, whsec_…, which proves that an event is the hosted API's; POST /domains and the console show it when the domain is registered, and a rotation shows a new one",
  )
  .refine((text) => webhookKey(text) !== null, "expected whsec_ and base64, as it was shown once");

const Variables = z.object({
  SVC_API_URL: ApiUrl.prefault("http://localhost:3000/sandbox/v1"),
  SVC_API_KEY: ApiKey,
  SVC_WEBHOOK_SECRET: WebhookSecret,
  SVC_WEBHOOK_SECRET_PREVIOUS: WebhookSecret.optional(),
});

export type HostedEnv = LoginEnv & { apiUrl: URL; apiKey: string; webhookSecrets: readonly string[] };

/**
 * Treats an empty variable as unset.
 * @throws {ConfigurationError} naming every invalid variable, the expected value and where to get it
 */
export function readHostedEnv(source: Record<string, string | undefined>): HostedEnv {
  const variables = parseVariables(Variables, source);
  const { SVC_WEBHOOK_SECRET: secret, SVC_WEBHOOK_SECRET_PREVIOUS: previous } = variables;
  return {
    ...readLoginEnv(source),
    apiUrl: variables.SVC_API_URL,
    apiKey: variables.SVC_API_KEY,
    webhookSecrets: previous === undefined ? [secret] : [secret, previous],
  };
}
