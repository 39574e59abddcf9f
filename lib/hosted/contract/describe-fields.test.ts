import { expect, test } from "vitest";
import { z } from "zod";
import { describeFields } from "./describe-fields.ts";
import { OPERATIONS } from "./operations.ts";

test("inner fields, lists and alternatives are told by their place", () => {
  const schema = z.object({
    name: z.string().describe("Whose."),
    inner: z.object({ at: z.iso.datetime() }).optional(),
    list: z.array(z.object({ id: z.int() })),
    state: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), both: z.string() }),
      z.object({ kind: z.literal("b"), both: z.string(), one: z.boolean() }),
    ]),
  });
  expect(
    describeFields(schema, "input").map(
      ({ name, type, required }) => `${name} ${type}${required ? "" : "?"}`,
    ),
  ).toEqual([
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

test("every operation's body and answer have fields to tell of", () => {
  for (const { id, body, success } of OPERATIONS) {
    if (body) expect(describeFields(body, "input"), id).not.toEqual([]);
    if (success.schema) expect(describeFields(success.schema, "output"), id).not.toEqual([]);
  }
});
