import { z } from "zod";

/** One field of a request or an answer, as the reference lists it. */
export type FieldDescription = {
  /** With its place: "metadata.return_url", "domains[].id". */
  name: string;
  /** "string", "integer", "login or register", "array of object". */
  type: string;
  required: boolean;
  description: string | null;
};

type Schema = z.core.JSONSchema.BaseSchema;

type Fields = WeakMap<z.ZodType, FieldDescription[]>;
/** Schemas do not change; describing each takes as long as showing it. */
const described: { input: Fields; output: Fields } = { input: new WeakMap(), output: new WeakMap() };

/**
 * The fields of a schema, each followed by the fields of its inner object. Made from the JSON Schema of the OpenAPI
 * document. Alternatives are merged: a field that only some of them have is not required.
 */
export function describeFields(schema: z.ZodType, io: "input" | "output"): FieldDescription[] {
  const known = described[io].get(schema);
  if (known) return known;
  const fields = fieldsOf(z.toJSONSchema(schema, { target: "draft-2020-12", io }), "");
  described[io].set(schema, fields);
  return fields;
}

function fieldsOf(schema: Schema, prefix: string): FieldDescription[] {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return overlay(alternatives.map((one) => fieldsOf(one, prefix)));
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    if (typeof inner === "boolean") return [];
    const name = prefix + key;
    const field = {
      name,
      type: typeOf(inner),
      required: schema.required?.includes(key) ?? false,
      description: inner.description ?? null,
    };
    const item = inner.items;
    const below =
      typeof item === "object" && !Array.isArray(item)
        ? fieldsOf(item, `${name}[].`)
        : fieldsOf(inner, `${name}.`);
    return [field, ...below];
  });
}

function overlay(lists: FieldDescription[][]): FieldDescription[] {
  const byName = Map.groupBy(lists.flat(), ({ name }) => name);
  return [...byName.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const types = new Set(same.flatMap(({ type }) => type.split(" or ")));
    const required = same.length === lists.length && same.every((field) => field.required);
    return [{ ...first, type: [...types].join(" or "), required }];
  });
}

function typeOf(schema: Schema): string {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.type === "array" && typeof schema.items === "object" && !Array.isArray(schema.items)) {
    return `array of ${typeOf(schema.items)}s`;
  }
  return schema.format === "date-time" ? "ISO 8601 time" : [schema.type ?? "any"].flat().join(" or ");
}
