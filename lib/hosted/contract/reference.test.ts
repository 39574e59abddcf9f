import { expect, test } from "vitest";
import { z } from "zod";
import { EventEnvelope } from "./event.ts";
import { OPERATIONS } from "./operations.ts";
import { createSampleOutput, describeFields } from "./reference.ts";

test("lists nested fields, list items and alternatives with their paths", () => {
  const schema = z.object({
    name: z.string().describe("a sample"),
    inner: z.object({ at: z.iso.datetime() }).optional(),
    list: z.array(z.object({ id: z.int() })),
    state: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), both: z.string() }),
      z.object({ kind: z.literal("b"), both: z.string(), one: z.boolean() }),
    ]),
  });
  const fields = describeFields(schema, "input").map(
    ({ name, type, required }) => `${name} ${type}${required ? "" : "?"}`,
  );
  expect(fields).toEqual([
    "name string",
    "inner object?",
    "inner.at ISO 8601 time",
    "list array of objects",
    "list[].id integer",
    "state object",
    'state.kind "a" or "b"',
    "state.both string",
    "state.one boolean?",
  ]);
});

test("creates a sample that has every field of a schema, and the last of several alternatives", () => {
  const schema = z.object({
    named: z.string().meta({ examples: ["shop.example"] }),
    free: z.string(),
    at: z.iso.datetime().nullable(),
    list: z.array(z.object({ count: z.int(), on: z.boolean() })),
    state: z.union([z.object({ a: z.literal(1) }), z.object({ b: z.enum(["x", "y"]).optional() })]),
  });
  expect(createSampleOutput(schema)).toEqual({
    named: "shop.example",
    free: "…",
    at: "2026-01-01T00:00:00.000Z",
    list: [{ count: 0, on: true }],
    state: { b: "x" },
  });
});

test("documents the body and response fields of every operation, with a valid example", () => {
  for (const { id, body, example, success } of OPERATIONS) {
    expect(body === undefined, id).toBe(example === undefined);
    if (body) {
      expect(describeFields(body, "input"), id).not.toEqual([]);
      expect(body.safeParse(example).error, id).toBeUndefined();
    }
    if (success.schema) {
      expect(describeFields(success.schema, "output"), id).not.toEqual([]);
      expect(success.schema.safeParse(createSampleOutput(success.schema)).error, id).toBeUndefined();
    }
  }
  expect(EventEnvelope.safeParse(createSampleOutput(EventEnvelope)).error).toBeUndefined();
});
