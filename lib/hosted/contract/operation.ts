import { z } from "zod";
import type { TENANT_LIMITS_PER_MINUTE } from "#packages/login/http/numbers.ts";
import type { ErrorCode } from "#packages/login/protocol/errors.ts";

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Test mode accepts names below `.example` without proof, so readers can run the examples unchanged. */
export const EXAMPLE_DOMAIN = "shop.example";
export const EXAMPLE_WEBHOOK_URL = "https://shop.example/api/svc/webhook";
export const EXAMPLE_SESSION_ID = "9fpAZa…";

/**
 * An operation of the hosted API. Routing, validation, rate limits, the OpenAPI document and the gate's routes all use
 * this object, so they agree.
 */
export type Operation = {
  /** The OpenAPI `operationId`: a verb and a noun, for example "createSession". */
  id: string;
  /** The heading in the API reference. */
  tag: "Sessions" | "Signatures" | "Domains" | "Deliveries" | "Keys";
  method: HttpMethod;
  /** Below the base path. `:name` stands for one segment, as in "/sessions/:id". */
  path: `/${string}`;
  /** One line. */
  summary: string;
  /** In Markdown. */
  description?: string;
  /** Each parameter is a string. */
  query?: z.ZodObject;
  /** Absent if the operation reads no body. */
  body?: z.ZodType;
  bodyIsOptional?: boolean;
  /** A valid body, which fills in the forms in the reference and the console. */
  example?: object;
  /** Keyed by name. */
  headers?: Record<string, string>;
  success: {
    status: 200 | 201 | 202 | 204;
    description: string;
    /** Parses every response before it is sent. Absent only for 204. */
    schema?: z.ZodType;
  };
  /** `listOperationErrorCodes` adds the error codes that every operation can return. */
  errors: readonly ErrorCode[];
  limit: TenantLimit;
};

/** All of a tenant's keys share it. */
export type TenantLimit = keyof typeof TENANT_LIMITS_PER_MINUTE;

/** The default limit is "other". */
type Row = Omit<Operation, "id" | "tag" | "method" | "path" | "errors" | "limit"> &
  Partial<Pick<Operation, "errors" | "limit">> & { route: `${HttpMethod} /${string}` };

type Named<Id extends string, Own extends Row> = Own &
  Pick<Operation, "tag" | "method" | "errors" | "limit"> & {
    id: Id;
    path: Own["route"] extends `${HttpMethod} ${infer Path extends `/${string}`}` ? Path : never;
  };

/** Keeps the operations' literal types, on which the handlers' types depend. */
export function defineOperations<const Rows extends Record<string, Row>>(tag: Operation["tag"], rows: Rows) {
  const operations = Object.entries(rows).map(([id, row]) => {
    const [method, path] = row.route.split(" ");
    return [id, { errors: [], limit: "other", ...row, id, tag, method, path }];
  });
  return Object.fromEntries(operations) as { [Id in keyof Rows & string]: Named<Id, Rows[Id]> };
}

export function textSchema(description: string, example: string) {
  return z.string().meta({ description, examples: [example] });
}

/** `{ id: string }` for "/sessions/:id". */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : Record<never, string>;

export type OperationQuery<Op extends Operation> = Op extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
export type OperationBody<Op extends Operation> = Op extends { body: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** Undefined if the response has no schema. */
export type OperationResult<Op extends Operation> = Op["success"] extends {
  schema: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : undefined;

/** Includes those that every endpoint can return. */
export function listOperationErrorCodes(op: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(["invalid_request", "invalid_api_key", ...op.errors]);
  if (op.method !== "GET") codes.add("payload_too_large");
  if (op.body) codes.add("unsupported_media_type");
  return [...codes.add("rate_limited").add("internal_error").add("service_unavailable")];
}

/** "/sessions/{id}". */
export function toReadablePath(path: string): string {
  return path.replace(/:([a-z_]+)/g, "{$1}");
}

/** For lists and headings: "Create session". */
export function toOperationName({ id }: Operation): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
