import "server-only";
import type { RequestLimit } from "#lib/platform/http/rate-limit.ts";
import { type FastCheckAnswer, fastTokenTime } from "./protocol.ts";
import { hasFastAddress } from "./store/fast-session.ts";

/**
 * Specification 4.3, rule 4: 1 when the session has a stored address, else 0, for a sid that is none too.
 * @param limit the request's, counted with the query
 */
export async function checkFastLogin(sid: string, limit: RequestLimit | null): Promise<FastCheckAnswer> {
  const authenticated = fastTokenTime(sid) !== null && (await hasFastAddress(sid, limit));
  return { sid, status: authenticated ? 1 : 0 };
}
