import { EventEnvelope } from "#lib/hosted/contract/event.ts";
import { listOperationErrorCodes, toOperationName, toReadablePath } from "#lib/hosted/contract/operation.ts";
import { OPERATIONS } from "#lib/hosted/contract/operations.ts";
import { describeFields } from "#lib/hosted/contract/reference.ts";

type Entry = {
  id: string;
  name: string;
  /** Search terms in addition to the name, such as paths, fields and error codes. */
  terms: readonly string[];
  text: string;
};

/** In page order. The navigation and the search use this list. */
export const CONTENTS: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: "Basics",
    entries: [
      {
        id: "authentication",
        name: "Authentication",
        terms: ["Authorization", "Bearer"],
        text: "base URL, API key, live, sandbox, try it from this page",
      },
      { id: "error-body", name: "Errors", terms: ["code", "X-Request-Id"], text: "message details body" },
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
        name: toOperationName(operation),
        terms: [
          `${method} ${toReadablePath(path)}`,
          ...Object.keys(headers),
          ...names,
          ...listOperationErrorCodes(operation),
        ],
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
