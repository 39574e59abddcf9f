import "server-only";
import NextAuth from "next-auth";
import { ApiError } from "#lib/core/api-error.ts";
import { renderError } from "#lib/core/http/endpoint.ts";
import { REQUEST_ID } from "#lib/core/http/headers.ts";
import { authOptions } from "./auth-options.ts";
import { readAuthRequest } from "./read-auth-request.ts";

export type AuthContext = { params: Promise<{ nextauth: string[] }> };

/**
 * NextAuth's endpoints, with the error path of the others around them: NextAuth itself answers malformed bodies with
 * an empty 500, and tells the caller the text of whatever failed while signing in.
 */
export async function answerAuth(request: Request, context: AuthContext): Promise<Response> {
  try {
    const [action] = (await context.params).nextauth;
    // It writes into our log whatever a stranger sends.
    if (action === "_log") throw new ApiError("not_found", "There is nothing at this address.");
    const failures: unknown[] = [];
    const handle = NextAuth(authOptions((error) => failures.push(error)));
    const response: Response = await handle(await readAuthRequest(request), context);
    if (failures.length > 0) throw failures[0];
    return response;
  } catch (error) {
    return renderError(error, request.headers.get(REQUEST_ID) ?? "");
  }
}
