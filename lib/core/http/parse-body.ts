import type { z } from "zod";
import { ApiError } from "../api-error.ts";
import { readJson } from "./read-json.ts";

/**
 * A request's JSON body as `schema` describes it; unknown fields are dropped.
 * @throws {ApiError} as `readJson`; 400 with `details.fields`, a message for each field that is wrong
 */
export async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(await readJson(request));
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  const names = Object.keys(fields).join(", ");
  throw new ApiError("invalid_request", `The body is not as expected: ${names}.`, { details: { fields } });
}
