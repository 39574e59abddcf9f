import { randomUUID } from "node:crypto";
import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Api, type Body, bodyOf } from "./api.ts";
import { expectCode } from "./sessions.ts";

/** Section 5.2: `Idempotency-Key` makes a repeated request one request. */

const AT_ONCE = 6;

const create = (api: Api, key: string, more: Body = {}) =>
  api.create(more, { headers: { "Idempotency-Key": key } });

export const IDEMPOTENCY_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.2-idempotency",
    proves: "The same `Idempotency-Key` and body get the same answer to the letter, and no second session.",
    cause: "The header is ignored, or the answer is made anew from a row that has changed since.",
    async run(api) {
      const key = randomUUID();
      const first = await create(api, key);
      expectStatus(first, 201, "a session with an Idempotency-Key");
      const second = await create(api, key);
      expectStatus(second, 201, "the same request again");
      if (second.text !== first.text) fail("The second answer is another one.");
      const other = await create(api, randomUUID());
      if (bodyOf(other).id === bodyOf(first).id) fail("Another Idempotency-Key gets the same session.");
    },
  },
  {
    id: "5.2-idempotency-conflict",
    proves: "The same `Idempotency-Key` with another body is 409 `idempotency_conflict`.",
    cause: "The key alone is looked up, and the caller gets a session that it did not ask for.",
    async run(api) {
      const key = randomUUID();
      await create(api, key);
      expectCode(await create(api, key, { mode: "register" }), 409, "idempotency_conflict", "another body");
    },
  },
  {
    id: "5.2-idempotency-at-once",
    proves: "The same request several times at once makes one session, and all get its answer.",
    cause: "Whether the key was used is read and written in separate steps.",
    async run(api) {
      const key = randomUUID();
      await api.domain();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create(api, key)));
      const refused = answers.find(({ status }) => status !== 201);
      if (refused) fail(`One of ${AT_ONCE} requests at once is answered ${refused.status}.`);
      const made = new Set(answers.map((answer) => bodyOf(answer).id)).size;
      if (made > 1) fail(`${AT_ONCE} requests at once made ${made} sessions.`);
    },
  },
  {
    id: "5.2-idempotency-key",
    proves: "An `Idempotency-Key` that is empty, too long or no printable ASCII is 400.",
    cause: "The key reaches a column that cuts it off, so that two keys are one.",
    async run(api) {
      for (const key of ["", "x".repeat(256), "\u00e9"]) {
        expectCode(
          await create(api, key),
          400,
          "invalid_request",
          `the key ${JSON.stringify(key.slice(0, 9))}`,
        );
      }
      expectStatus(await create(api, randomUUID().padEnd(255, "x")), 201, "a key of 255 characters");
    },
  },
];
