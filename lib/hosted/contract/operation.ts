import { z } from "zod";
import type { TENANT_LIMITS_PER_MINUTE } from "#packages/login/http/numbers.ts";
import type { ErrorCode } from "#packages/login/protocol/errors.ts";

/** The HTTP methods that the API supports. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Names in examples. Test mode accepts names below `.example` without a proof, so examples run unchanged. */
export const EXAMPLE_DOMAIN = "shop.example";
export const EXAMPLE_WEBHOOK_URL = "https://shop.example/api/svc/webhook";
export const EXAMPLE_SESSION_ID = "9fpAZa…";

/**
 * One operation of the hosted API. Dispatch, validation, rate limits, the OpenAPI document and the gate's table of
 * routes all use this object, so that they agree.
 */
export type Operation = {
  /** The OpenAPI `operationId`: a verb and a noun, such as "createSession". */
  id: string;
  /** The heading of the operation in the reference. */
  tag: "Sessions" | "Signatures" | "Domains" | "Deliveries" | "Keys";
  method: Method;
  /** The path below the base path, with `:name` for one segment, such as "/sessions/:id". */
  path: `/${string}`;
  /** One line that describes the operation. */
  summary: string;
  /** Additional information for callers, in Markdown. */
  description?: string;
  /** The query parameters, each sent as a string. If absent, there are none. */
  query?: z.ZodObject;
  /** The JSON body. If absent, no body is read. */
  body?: z.ZodType;
  /** True if the body is optional. */
  bodyIsOptional?: boolean;
  /** A valid body, with which the reference and the console begin. */
  example?: object;
  /** The request headers that the operation uses, keyed by name. */
  headers?: Record<string, string>;
  success: {
    status: 200 | 201 | 202 | 204;
    /** The description of the response. */
    description: string;
    /** The schema with which every response is parsed before it is sent. Absent only for 204. */
    schema?: z.ZodType;
  };
  /** The operation's own codes; `errorsOf` adds those that every operation has. */
  errors: readonly ErrorCode[];
  limit: TenantLimit;
};

/** The name of a limit that all keys of one tenant share. */
export type TenantLimit = keyof typeof TENANT_LIMITS_PER_MINUTE;

/** An operation as its noun's table lists it. Its limit is "other" unless it names another. */
type Row = Omit<Operation, "id" | "tag" | "method" | "path" | "errors" | "limit"> &
  Partial<Pick<Operation, "errors" | "limit">> & { route: `${Method} /${string}` };

/** A row, and the fields that follow from its place in the table. */
type Named<Id extends string, Own extends Row> = Own &
  Pick<Operation, "tag" | "method" | "errors" | "limit"> & {
    id: Id;
    path: Own["route"] extends `${Method} ${infer Path extends `/${string}`}` ? Path : never;
  };

/** Returns the operations of a noun, each under its `id`. Keeps their literal types, which the handlers' types need. */
export function operations<const Rows extends Record<string, Row>>(tag: Operation["tag"], rows: Rows) {
  const operations = Object.entries(rows).map(([id, row]) => {
    const [method, path] = row.route.split(" ");
    return [id, { errors: [], limit: "other", ...row, id, tag, method, path }];
  });
  return Object.fromEntries(operations) as { [Id in keyof Rows & string]: Named<Id, Rows[Id]> };
}

/** Returns a string in the reference, with a description and an example. */
export function textSchema(description: string, example: string) {
  return z.string().meta({ description, examples: [example] });
}

/** The names in a path: `{ id: string }` for "/sessions/:id". */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : Record<never, string>;

/** The parsed query and body that an operation's handler receives. */
export type QueryOf<Op extends Operation> = Op extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
export type BodyOf<Op extends Operation> = Op extends { body: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** The result of an operation's handler; undefined if there is no schema. */
export type AnswerOf<Op extends Operation> = Op["success"] extends { schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;

/** Returns every error code that an operation can return: its own, and those of every endpoint. */
export function errorsOf(op: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(["invalid_request", "invalid_api_key", ...op.errors]);
  if (op.method !== "GET") codes.add("payload_too_large");
  if (op.body) codes.add("unsupported_media_type");
  return [...codes.add("rate_limited").add("internal_error").add("service_unavailable")];
}

/** Formats the path for readers: "/sessions/{id}". */
export function toReadablePath(path: string): string {
  return path.replace(/:([a-z_]+)/g, "{$1}");
}

/** Returns a short name for lists and headings, derived from the `id`: "Create session". */
export function toOperationName({ id }: Operation): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
