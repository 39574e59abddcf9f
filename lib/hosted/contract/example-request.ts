import { BODY_EXAMPLES } from "./examples.ts";
import type { Operation } from "./operation.ts";
import type { ApiRequest } from "./snippet.ts";

/**
 * The request that the reference shows for an operation. What a reader has to put in stands there as SESSION_ID,
 * DOMAIN_ID or DELIVERY_ID.
 * @param base origin and base path: "https://login.example.com/sandbox/v1"
 */
export function exampleRequest({ id, method, path, success }: Operation, base: string): ApiRequest {
  const [, noun = ""] = path.split("/");
  const placeholder = noun.replace(/(?:ie)?s$/, (end) => (end === "ies" ? "y" : "")).toUpperCase();
  return {
    url: base + path.replace(/:[a-z_]+/, `${placeholder}_ID`),
    method,
    body: BODY_EXAMPLES[id],
    answersNothing: success.schema === undefined,
  };
}
