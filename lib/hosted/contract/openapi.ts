import { ERROR_STATUS, type ErrorCode } from "#packages/login/protocol/errors.ts";
import { COMPONENT_SCHEMAS, getComponentReference, listQueryParameters } from "./components.ts";
import { EventEnvelope } from "./event.ts";
import { listOperationErrorCodes, type Operation, toReadablePath } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { API_BASE_PATHS, type ApiMode } from "./tenant.ts";
import { MALFORMED_SIGNATURE_STATUS } from "./verify.ts";

type Json = { [key: string]: unknown };

/** @param origin the application's origin, for example "https://login.example.com" */
export function createOpenApiDocument(origin: string, mode: ApiMode): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    const path = toReadablePath(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: mode === "live" ? "Hosted login API" : "Hosted login API, sandbox",
      version: "1.0.0",
      description:
        "Passwordless login by QR code and wallet. Every request carries `Authorization: Bearer <API key>`; every answer an `X-Request-Id`. Lists are newest first.",
    },
    servers: [{ url: origin + API_BASE_PATHS[mode] }],
    security: [{ apiKey: [] }],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: { event: { post: describeEvent() } },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: `A key beginning \`svc_${mode}_\`.` },
      },
      schemas: {
        ...COMPONENT_SCHEMAS,
        ApiError: API_ERROR,
        ErrorCode: ERROR_CODE,
        ...Object.assign({}, ...OPERATIONS.map(errorSchemas)),
      },
      headers: HEADERS,
    },
  };
}

function describeOperation(operation: Operation): Json {
  const { id, tag, summary, description, body, bodyIsOptional = false, success } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: { required: !bodyIsOptional, content: json(getComponentReference(body)) },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: LIMIT_HEADERS,
        ...(success.schema && { content: json(getComponentReference(success.schema)) }),
      },
      ...Object.fromEntries(errorResponses(operation)),
    },
  };
}

/** Describes the requests that the API sends to a customer's endpoint (docs/protocol.md#56-events). */
function describeEvent(): Json {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  });
  return {
    operationId: "receiveEvent",
    summary: "Is posted to the domain's webhook URL.",
    description:
      "Sent when a login or a registration succeeds, and when its user undoes it, at least once. Verify a signature over the raw body before you read it, and answer with any 2xx. After any other answer, we try again for about three days, except after a 410, which ends all attempts.",
    security: [],
    parameters: [
      header(
        "x-svc-signature",
        "Hex of HMAC-SHA256 over the body, keyed by the webhook secret's text as shown.",
      ),
      header("webhook-id", "The event's identifier, the same at every attempt."),
      header("webhook-timestamp", "Unix seconds of this attempt."),
      header(
        "webhook-signature",
        "`v1,` and base64, as defined by Standard Webhooks; several values while a secret is being rotated.",
      ),
    ],
    requestBody: { required: true, content: json(getComponentReference(EventEnvelope)) },
    responses: {
      "2XX": { description: "Received." },
      "410": { description: "The endpoint is gone. No more events are sent." },
    },
  };
}

function parametersOf(operation: Operation): Json[] {
  const { path, headers = {} } = operation;
  const inPath = [...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = listQueryParameters(operation).map(([name, { description, ...schema }]) => ({
    ...{ name, in: "query", required: false, description, schema },
  }));
  const inHeaders = Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function errorResponses(operation: Operation): [string, Json][] {
  const codes = Map.groupBy(listOperationErrorCodes(operation), getErrorStatus);
  return [...codes]
    .sort(([one], [other]) => one - other)
    .map(([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\``).join(", "),
        headers: status === 429 ? { ...LIMIT_HEADERS, "Retry-After": ref("headers", "Retry-After") } : {},
        content: json(ref("schemas", errorName(operation))),
      },
    ]);
}

export function getErrorStatus(code: ErrorCode): number {
  return code === "invalid_signature" ? MALFORMED_SIGNATURE_STATUS : ERROR_STATUS[code];
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function ref(kind: "schemas" | "headers", name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Not named `Error`, because a generated class would hide its language's own `Error`. */
const API_ERROR = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: ref("schemas", "ErrorCode"),
        message: { type: "string", description: "A message for people: the problem, and what to do next." },
        details: { type: "object", description: "More details; empty if there are none." },
      },
      required: ["code", "message", "details"],
    },
  },
  required: ["error"],
};

const ERROR_CODE = {
  type: "string",
  enum: Object.keys(ERROR_STATUS),
  description: "The error code for programs.",
};

const errorName = ({ id }: Operation) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Error`;

/** An `ApiError` with one of the operation's error codes. */
function errorSchemas(operation: Operation): Json {
  const name = errorName(operation);
  const code = ref("schemas", `${name}Code`);
  const error = { type: "object", properties: { code }, required: ["code"] };
  return {
    [name]: {
      allOf: [ref("schemas", "ApiError"), { type: "object", properties: { error }, required: ["error"] }],
    },
    [`${name}Code`]: { type: "string", enum: listOperationErrorCodes(operation) },
  };
}

const seconds = (description: string) => ({ description, schema: { type: "integer" } });

const HEADERS = {
  "RateLimit-Limit": seconds(
    "The number of requests that your tenant can send here per minute; all of its keys share it.",
  ),
  "RateLimit-Remaining": seconds("How many of them are left."),
  "RateLimit-Reset": seconds("Seconds until all of them are available again."),
  "Retry-After": seconds("Seconds to wait."),
};

const LIMIT_HEADERS = Object.fromEntries(
  Object.keys(HEADERS)
    .filter((name) => name.startsWith("RateLimit-"))
    .map((name) => [name, ref("headers", name)]),
);
