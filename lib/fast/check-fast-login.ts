import "server-only";
import type { LoginCore } from "#lib/login/server/core.ts";
import { type FastCheckAnswer, fastTokenTime } from "./protocol.ts";
import { hasFastAddress } from "./store/fast-session.ts";

/** 1 when the session has an address, else 0, for a sid that is none too (docs/protocol.md#63-get-apicheckfast). */
export async function checkFastLogin({ database }: LoginCore, sid: string): Promise<FastCheckAnswer> {
  const authenticated = fastTokenTime(sid) !== null && (await hasFastAddress(database, sid));
  return { sid, status: authenticated ? 1 : 0 };
}
