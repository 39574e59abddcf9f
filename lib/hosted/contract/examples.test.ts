import { expect, test } from "vitest";
import { BODY_EXAMPLES } from "./examples.ts";
import { OPERATIONS } from "./operations.ts";

test("every operation that takes a body has an example, which its schema accepts", () => {
  for (const { id, body } of OPERATIONS) {
    if (body) expect(body.safeParse(BODY_EXAMPLES[id]).error, id).toBeUndefined();
    else expect(BODY_EXAMPLES[id], id).toBeUndefined();
  }
});
