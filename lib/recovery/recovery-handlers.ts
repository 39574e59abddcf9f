import type { z } from "zod";
import { refusal } from "#lib/login/protocol/errors.ts";
import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import { currentSession } from "#lib/login/server/session-token.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { assertSameOrigin } from "#lib/platform/http/same-origin.ts";
import type { WebRequest } from "#lib/platform/http/web-request.ts";
import { recoveryCookie } from "./cookie.ts";
import type { OnRecoveryEvent } from "./events.ts";
import { TypedCode, TypedCodes } from "./messages.ts";
import { RECOVERY_PERMISSION_SECONDS } from "./numbers.ts";
import { openRecovery } from "./open-recovery.ts";
import { activateCodes, checkCode, makeCodes } from "./recovery-codes.ts";
import { cancelRecoveries } from "./store/recovery.ts";

/** A request as the door hands it on. */
export type RecoveryCall = {
  core: LoginCore;
  request: WebRequest;
  /** The JSON body as `schema` describes it. @throws {Refusal} 400, 413, 415 */
  body<Schema extends z.ZodType>(schema: Schema): Promise<z.infer<Schema>>;
};

/** What a site decides for itself. */
type Decisions<Call> = {
  /** Counts a try of a code, by the client's address first and then of all clients together. @throws {ApiError} 429 */
  countTry(limit: "recovery" | "recovery-check", call: Call): Promise<void>;
  /** Asks for a fresh approval. @throws {Refusal} 403 `approval_required` */
  requireApproval(session: BrowserSession): Promise<void>;
  onEvent: OnRecoveryEvent;
};

/** The endpoints of docs/protocol.md#10-recovery, each a function of a call. */
export function recoveryHandlers<Call extends RecoveryCall>({
  countTry,
  requireApproval,
  onEvent,
}: Decisions<Call>) {
  return {
    /** `POST /api/recovery`. Another site's page uses up nobody's tries. */
    async open(call: Call): Promise<Response> {
      const { core, request } = call;
      assertSameOrigin(request, core.origin);
      const { code } = await call.body(TypedCode);
      await countTry("recovery", call);
      const userAgent = request.headers.get("user-agent");
      const { answer, secret, userId } = await openRecovery(core, { typed: code, userAgent });
      await onEvent({ kind: "recovery_opened", userId });
      const cookie = recoveryCookie(secret, RECOVERY_PERMISSION_SECONDS, isSecure(core));
      return jsonResponse(200, answer, { "Set-Cookie": cookie });
    },

    /** `POST /api/account/recovery-codes`. The codes are in this answer and nowhere else again. */
    async makeCodes({ core, request }: Call): Promise<Response> {
      assertSameOrigin(request, core.origin);
      const session = await requireSession(core, request);
      await requireApproval(session);
      const { userId } = session;
      const { answer, cancelled } = await makeCodes(core, session);
      if (cancelled) await onEvent({ kind: "recovery_cancelled", userId });
      await onEvent({ kind: "recovery_codes_made", userId });
      return jsonResponse(201, answer);
    },

    /** `POST /api/account/recovery-codes/confirm`: they work once both are typed back. */
    async confirmCodes({ core, request, body }: Call): Promise<Response> {
      assertSameOrigin(request, core.origin);
      const { codes } = await body(TypedCodes);
      return jsonResponse(200, await activateCodes(core, await requireSession(core, request), codes));
    },

    /** `POST /api/account/recovery-codes/check`: a drill, limited as the real thing. */
    async checkCode(call: Call): Promise<Response> {
      const { core, request } = call;
      assertSameOrigin(request, core.origin);
      const { code } = await call.body(TypedCode);
      const session = await requireSession(core, request);
      await countTry("recovery-check", call);
      return jsonResponse(200, await checkCode(core, session, code));
    },

    /**
     * `DELETE /api/account/recovery`, from any browser of the user. Needs no approval: whoever lost their keys has none
     * to give, and the owner must not have to look for a wallet to stop a thief.
     */
    async cancel({ core, request }: Call): Promise<Response> {
      assertSameOrigin(request, core.origin);
      const { id: sessionId, userId, userAgent } = await requireSession(core, request);
      if (!(await cancelRecoveries(core.database, { now: core.now(), userId, sessionId, userAgent }))) {
        throw new ApiError(
          "not_found",
          "There is no recovery to cancel: it was cancelled, or has taken effect.",
        );
      }
      await onEvent({ kind: "recovery_cancelled", userId });
      return new Response(null, { status: 204 });
    },
  };
}

async function requireSession(core: LoginCore, { headers }: WebRequest): Promise<BrowserSession> {
  const session = await currentSession(core, headers);
  if (!session) throw refusal("not_signed_in", "Sign in first.");
  return session;
}
