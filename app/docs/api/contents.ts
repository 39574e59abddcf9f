import type { ReferenceGroup } from "#components/docs/search-reference.ts";
import { describeFields } from "#lib/hosted/contract/describe-fields.ts";
import { EventEnvelope } from "#lib/hosted/contract/event.ts";
import { errorsOf, operationName, shownPath } from "#lib/hosted/contract/operation.ts";
import { OPERATIONS } from "#lib/hosted/contract/operations.ts";

/** Everything in the reference that can be gone to and found, in its order. */
export const CONTENTS: readonly ReferenceGroup[] = [
  {
    title: "Basics",
    entries: [
      {
        id: "calling",
        name: "Calling it",
        terms: ["Authorization"],
        text: "base URL, API key, live, sandbox",
      },
      { id: "error-body", name: "Errors", terms: ["code", "X-Request-Id"], text: "message details body" },
      { id: "try", name: "Try it from this page", terms: [], text: "API key" },
    ],
  },
  ...[...Map.groupBy(OPERATIONS, ({ tag }) => tag)].map(([title, operations]) => ({
    title,
    entries: operations.map((operation) => {
      const { id, method, path, summary, description = "", query, body, headers = {}, success } = operation;
      const fields = [
        ...(query ? describeFields(query, "input") : []),
        ...(body ? describeFields(body, "input") : []),
        ...(success.schema ? describeFields(success.schema, "output") : []),
      ];
      const names = new Set(fields.map(({ name }) => name));
      return {
        id,
        name: operationName(operation),
        terms: [`${method} ${shownPath(path)}`, ...Object.keys(headers), ...names, ...errorsOf(operation)],
        text: `${summary} ${description}`,
      };
    }),
  })),
  {
    title: "Events",
    entries: [
      {
        id: "event",
        name: "What your webhook receives",
        terms: [
          ...["webhook-id", "webhook-timestamp", "webhook-signature", "x-svc-signature"],
          ...describeFields(EventEnvelope, "output").map(({ name }) => name),
        ],
        text: "Standard Webhooks HMAC retry",
      },
    ],
  },
];
