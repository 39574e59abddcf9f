import { z } from "zod";
import { EXAMPLE_DOMAIN, EXAMPLE_WEBHOOK_URL, type Operation } from "./operation.ts";
import type { ApiRequest } from "./snippet.ts";

export type ReaderDomain = { domain: string; webhook_url: string };

/** Without a domain, returns the example unchanged. */
export function personaliseExample<T>(readerDomain: ReaderDomain | null, example: T): T {
  if (!readerDomain) return example;
  const text = JSON.stringify(example);
  const filledText = text
    .replaceAll(EXAMPLE_WEBHOOK_URL, readerDomain.webhook_url)
    .replaceAll(EXAMPLE_DOMAIN, readerDomain.domain);
  return JSON.parse(filledText);
}

/**
 * The reader must replace SESSION_ID, DOMAIN_ID or DELIVERY_ID.
 * @param base the origin and base path, for example "https://login.example.com/sandbox/v1"
 */
export function createExampleRequest(
  { method, path, example, success }: Operation,
  base: string,
): ApiRequest {
  const [, noun = ""] = path.split("/");
  const placeholder = noun.replace(/(?:ie)?s$/, (end) => (end === "ies" ? "y" : "")).toUpperCase();
  return {
    url: base + path.replace(/:[a-z_]+/, `${placeholder}_ID`),
    method,
    body: example,
    hasNoAnswerBody: success.schema === undefined,
  };
}

type Io = "input" | "output";
type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Cached, because describing a schema is slow and schemas do not change. */
const described = {
  input: new WeakMap<z.core.$ZodType, JsonSchema>(),
  output: new WeakMap<z.core.$ZodType, JsonSchema>(),
};

/** In the form that the OpenAPI document uses. */
export function toJsonSchema(schema: z.core.$ZodType, io: Io): JsonSchema {
  const cached = described[io].get(schema);
  if (cached) return cached;
  const { $schema, ...description } = z.toJSONSchema(schema, { target: "draft-2020-12", io });
  described[io].set(schema, description);
  return description;
}

export type FieldDescription = {
  /** With its path: "metadata.return_url", "domains[].id". */
  name: string;
  /** For example "string", "integer", "login or register", "array of object". */
  type: string;
  required: boolean;
  description: string | null;
};

/**
 * Each field is followed by the fields of its inner object. Merges alternatives: a field is required only if all of
 * them have it.
 */
export function describeFields(schema: z.ZodType, io: Io): FieldDescription[] {
  return fieldsOf(toJsonSchema(schema, io), "");
}

function fieldsOf(schema: JsonSchema, prefix: string): FieldDescription[] {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return overlay(alternatives.map((one) => fieldsOf(one, prefix)));
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const inner = asSchema(value);
    const name = prefix + key;
    const field = {
      name,
      type: typeOf(inner),
      required: schema.required?.includes(key) ?? false,
      description: inner.description ?? null,
    };
    const below = inner.items ? fieldsOf(itemOf(inner), `${name}[].`) : fieldsOf(inner, `${name}.`);
    return [field, ...below];
  });
}

/** @param values the fields' initial values */
export function describeFormFields({ body }: Operation, values: Record<string, string> = {}) {
  const { properties = {}, required = [] } = body ? toJsonSchema(body, "input") : {};
  return Object.entries(properties).map(([name, property]) => {
    const { description, maxLength } = asSchema(property);
    return { name, required: required.includes(name), hint: description, maxLength, value: values[name] };
  });
}

function overlay(lists: FieldDescription[][]): FieldDescription[] {
  const byName = Map.groupBy(lists.flat(), ({ name }) => name);
  return [...byName.values()].flatMap((variants) => {
    const [first] = variants;
    if (!first) return [];
    const types = new Set(variants.flatMap(({ type }) => type.split(" or ")));
    const required = variants.length === lists.length && variants.every((field) => field.required);
    return [{ ...first, type: [...types].join(" or "), required }];
  });
}

function typeOf(schema: JsonSchema): string {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.items) return `array of ${typeOf(itemOf(schema))}s`;
  return schema.format === "date-time" ? "ISO 8601 time" : [schema.type ?? "any"].flat().join(" or ");
}

/** Uses the last alternative, which has the most fields. */
export function createSampleOutput(schema: z.ZodType): unknown {
  return valueFrom(toJsonSchema(schema, "output"));
}

function valueFrom(schema: JsonSchema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const last = (schema.oneOf ?? schema.anyOf)?.findLast(({ type }) => type !== "null");
  if (last) return valueFrom(last);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valueFrom(asSchema(inner))]),
      );
    case "array":
      return [valueFrom(itemOf(schema))];
    case "boolean":
      return true;
    case "integer":
      return 0;
    default:
      return schema.format === "date-time" ? "2026-01-01T00:00:00.000Z" : "…";
  }
}

/** None of these schemas is a tuple or a boolean. */
function itemOf({ items }: JsonSchema): JsonSchema {
  return asSchema(Array.isArray(items) ? items[0] : items);
}

function asSchema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === "object" ? schema : {};
}
