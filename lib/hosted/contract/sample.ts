import { z } from "zod";

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
