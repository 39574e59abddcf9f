import { z } from "zod";
import type { DOMAIN_OPERATIONS } from "./domain.ts";
import { EXAMPLE_DOMAIN, EXAMPLE_WEBHOOK_URL, type Operation } from "./operation.ts";
import type { CreateSession, RefreshSession } from "./session.ts";
import type { ApiRequest } from "./snippet.ts";
import type { VerifySignature } from "./verify.ts";

/** Bodies that the operations accept, by `operationId`: what the reference and the console begin with. */

/** A signature that is good: the wallet documentation's test vector. */
export const SIGNATURE_EXAMPLE: z.input<typeof VerifySignature> = {
  public_key:
    "0454952afb3a1c510558ba01cb74505adfe9ab9bf4fea8bf154b77139dee04c1ebce13ac127d5e3cb898f6ec664ea03f1dfd4627b5d9dbba455d41df8bc3170adc",
  signature:
    "3045022100dc6d1895aee5657838824e9c5f36efb6209822180321d2493854dcb9ddd5c33e022079bd09f30562419a09cff7e48a21eb0da7cca05ea62812c162b43645eff7ee66",
  message: "svc:login:example.com:1700000000:0123456789abcdefghijABCDEFGHIJxy",
};

const CLIENT = { user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
const SESSION: z.input<typeof CreateSession> = { domain: EXAMPLE_DOMAIN, mode: "login", client: CLIENT };
const REFRESH: z.input<typeof RefreshSession> = { client: CLIENT };
const DOMAIN: z.input<typeof DOMAIN_OPERATIONS.createDomain.body> = {
  domain: EXAMPLE_DOMAIN,
  webhook_url: EXAMPLE_WEBHOOK_URL,
};
const WEBHOOK: z.input<typeof DOMAIN_OPERATIONS.updateDomain.body> = {
  webhook_url: EXAMPLE_WEBHOOK_URL,
};

export const BODY_EXAMPLES: Record<string, object> = {
  createSession: SESSION,
  refreshSession: REFRESH,
  verifySignature: SIGNATURE_EXAMPLE,
  createDomain: DOMAIN,
  updateDomain: WEBHOOK,
};

/** A domain that a reader has registered. */
export type OwnDomain = { domain: string; webhook_url: string };

/** An example that names the reader's own domain; without one it stays as it is. */
export function exampleFor<T>(own: OwnDomain | null, example: T): T {
  if (!own) return example;
  const text = JSON.stringify(example);
  const filled = text.replaceAll(EXAMPLE_WEBHOOK_URL, own.webhook_url).replaceAll(EXAMPLE_DOMAIN, own.domain);
  return JSON.parse(filled);
}

/**
 * The request that the reference shows for an operation. What a reader has to put in stands there as SESSION_ID,
 * DOMAIN_ID or DELIVERY_ID.
 * @param base origin and base path: "https://login.example.com/sandbox/v1"
 */
export function exampleRequest({ id, method, path, success }: Operation, base: string): ApiRequest {
  const [, noun = ""] = path.split("/");
  const placeholder = noun.replace(/(?:ie)?s$/, (end) => (end === "ies" ? "y" : "")).toUpperCase();
  return {
    url: base + path.replace(/:[a-z_]+/, `${placeholder}_ID`),
    method,
    body: BODY_EXAMPLES[id],
    answersNothing: success.schema === undefined,
  };
}

/** One value that a schema accepts, made from the examples that stand beside its fields: an answer to be shown. */

type Schema = z.core.JSONSchema.BaseSchema;

const SAMPLE_TIME = "2026-01-01T00:00:00.000Z";

const samples = new WeakMap<z.ZodType, unknown>();

/** A sample of what a schema puts out; of alternatives the last, which says most. */
export function sampleOf(schema: z.ZodType): unknown {
  const known = samples.get(schema);
  if (known !== undefined) return known;
  const sample = valueFrom(z.toJSONSchema(schema, { target: "draft-2020-12", io: "output" }));
  samples.set(schema, sample);
  return sample;
}

function valueFrom(schema: Schema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const alternatives = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== "null");
  const last = alternatives?.at(-1);
  if (last) return valueFrom(last);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valueFrom(asSchema(inner))]),
      );
    case "array":
      return Array.isArray(schema.items) ? [] : [valueFrom(asSchema(schema.items))];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 0;
    default:
      return schema.format === "date-time" ? SAMPLE_TIME : "…";
  }
}

function asSchema(schema: Schema | boolean | undefined): Schema {
  return typeof schema === "object" ? schema : {};
}
