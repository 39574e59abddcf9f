import { z } from "zod";
import { webhookKey } from "../customer/verify-webhook.ts";
import { parseVariables } from "./env-values.ts";
import { type LoginEnv, readLoginEnv } from "./read-login-env.ts";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const ApiUrl = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
    return isSafe && !url.username && !url.search && !url.hash;
  }, "expected the hosted API's base, https://… (http://… on this machine alone, since the key is sent there)")
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

/** The configuration of a customer's site, as its environment says it. */
export type HostedEnv = LoginEnv & { apiUrl: URL; apiKey: string; webhookSecrets: readonly string[] };

/**
 * Reads the environment of a customer's site. An empty variable counts as unset.
 * @throws {ConfigurationError} naming every bad variable, what is expected of it and where it comes from
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
