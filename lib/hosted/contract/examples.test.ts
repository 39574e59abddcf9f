import { describe, expect, test } from "vitest";
import { z } from "zod";
import { EventEnvelope } from "./event.ts";
import { BODY_EXAMPLES, sampleOf } from "./examples.ts";
import { OPERATIONS } from "./operations.ts";

test("every operation that takes a body has an example, which its schema accepts", () => {
  for (const { id, body } of OPERATIONS) {
    if (body) expect(body.safeParse(BODY_EXAMPLES[id]).error, id).toBeUndefined();
    else expect(BODY_EXAMPLES[id], id).toBeUndefined();
  }
});

describe("the sample of an answer", () => {
  const answers = OPERATIONS.flatMap(({ id, success }) =>
    success.schema ? [[id, success.schema] as const] : [],
  );

  test.each([...answers, ["event", EventEnvelope] as const])(
    "of %s is one that its schema accepts",
    (_id, schema) => {
      const sample = sampleOf(schema);
      expect(schema.safeParse(sample).error).toBeUndefined();
      expect(Object.keys(sample as object).length).toBeGreaterThan(0);
    },
  );

  test("has every field, the examples of the schema first, and of alternatives the last", () => {
    const schema = z.object({
      named: z.string().meta({ examples: ["shop.example"] }),
      free: z.string(),
      at: z.iso.datetime().nullable(),
      list: z.array(z.object({ count: z.int(), on: z.boolean() })),
      state: z.union([z.object({ a: z.literal(1) }), z.object({ b: z.enum(["x", "y"]).optional() })]),
    });
    expect(sampleOf(schema)).toEqual({
      named: "shop.example",
      free: "…",
      at: "2026-01-01T00:00:00.000Z",
      list: [{ count: 0, on: true }],
      state: { b: "x" },
    });
  });
});
