import type { z } from "zod";
import { ApiError } from "./api-error.ts";
import { readJson, readOptionalJson } from "./read-json.ts";
import type { WebRequest } from "./web-request.ts";

/**
 * A request's JSON body as `schema` describes it; unknown fields are dropped.
 * @throws {ApiError} as `readJson`; 400 with `details.fields`, a message for each field that is wrong
 */
export async function parseBody<Schema extends z.ZodType>(
  request: WebRequest,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return parseInput("body", await readJson(request), schema);
}

/** The same of a body that may be left out: it is empty then. */
export async function parseOptionalBody<Schema extends z.ZodType>(
  request: WebRequest,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return parseInput("body", (await readOptionalJson(request)) ?? {}, schema);
}

/**
 * A request's query as `schema` describes it; unknown names are dropped.
 * @throws {ApiError} 400 with `details.fields`, a message for each name that is wrong
 */
export function parseQuery<Schema extends z.ZodType>(
  query: Record<string, string | undefined>,
  schema: Schema,
): z.infer<Schema> {
  return parseInput("query", { ...query }, schema);
}

function parseInput<Schema extends z.ZodType>(
  what: "body" | "query",
  input: unknown,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".") || what] ??= issue.message;
  const names = Object.keys(fields).join(", ");
  throw new ApiError("invalid_request", `The ${what} is not as expected: ${names}.`, { details: { fields } });
}
