import type { z } from "zod";
import { notSignedIn, requireApproval, requireAsker } from "../approval/asker.ts";
import { ApiError } from "../http/api-error.ts";
import { jsonResponse } from "../http/call.ts";
import { COUNT, type CountRow } from "../http/limit-counters.ts";
import { assertSameOrigin, type WebRequest } from "../http/web-request.ts";
import { Refusal } from "../protocol/errors.ts";
import { RECOVERY_PERMISSION_SECONDS, WRONG_CODES_WARNED_PER_HOUR } from "../protocol/numbers.ts";
import { recoveryCookie } from "../server/cookies.ts";
import { isSecure, type LoginCore } from "../server/core.ts";
import { userAgentOf } from "../server/sent-headers.ts";
import type { OnRecoveryEvent } from "./finish-recovery.ts";
import { TypedCode, TypedCodes } from "./messages.ts";
import { openRecovery } from "./open-recovery.ts";
import { activateCodes, checkCode, createRecoveryCodes } from "./recovery-codes.ts";
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
  /** Counts a try of a code by the client's address. @throws {Refusal} 429 */
  countTry(limit: "recovery" | "recovery-check", call: Call): Promise<void>;
  wrongCodes: WrongCodes;
  onEvent: OnRecoveryEvent;
};

/** The endpoints of docs/protocol.md#10-recovery, each a function of a call. */
export function recoveryHandlers<Call extends RecoveryCall>({
  countTry,
  wrongCodes,
  onEvent,
}: Decisions<Call>) {
  const noteWrongCode = wrongCodeCounter(wrongCodes);
  return {
    /** `POST /api/recovery`. Another site's page uses up nobody's tries. */
    async open(call: Call): Promise<Response> {
      const { core, request } = call;
      assertSameOrigin(request, core.origin);
      const { code } = await call.body(TypedCode);
      await countTry("recovery", call);
      const opening = openRecovery(core, { typed: code, userAgent: userAgentOf(request.headers) });
      const { answer, secret, userId } = await noteWrongCode(core, opening);
      await onEvent({ kind: "recovery_opened", userId });
      const cookie = recoveryCookie(secret, RECOVERY_PERMISSION_SECONDS, isSecure(core));
      return jsonResponse(200, answer, { "Set-Cookie": cookie });
    },

    /** `POST /api/account/recovery-codes`. The codes are in this answer and nowhere else again. */
    async createRecoveryCodes({ core, request }: Call): Promise<Response> {
      assertSameOrigin(request, core.origin);
      const asker = await requireApproval(core, request.headers);
      const { userId } = asker;
      const made = await createRecoveryCodes(core, asker);
      if (!made) throw notSignedIn();
      if (made.cancelled) await onEvent({ kind: "recovery_cancelled", userId });
      await onEvent({ kind: "recovery_codes_made", userId });
      return jsonResponse(201, made.answer);
    },

    /** `POST /api/account/recovery-codes/confirm`: they work once both are typed back. */
    async confirmCodes({ core, request, body }: Call): Promise<Response> {
      assertSameOrigin(request, core.origin);
      const { codes } = await body(TypedCodes);
      return jsonResponse(200, await activateCodes(core, await requireAsker(core, request.headers), codes));
    },

    /** `POST /api/account/recovery-codes/check`: a drill, limited as the real thing. */
    async checkCode(call: Call): Promise<Response> {
      const { core, request } = call;
      assertSameOrigin(request, core.origin);
      const { code } = await call.body(TypedCode);
      const { userId } = await requireAsker(core, request.headers);
      await countTry("recovery-check", call);
      return jsonResponse(200, await noteWrongCode(core, checkCode(core, userId, code)));
    },

    /**
     * `DELETE /api/account/recovery`, from any browser of the user. Needs no approval: whoever lost their keys has none
     * to give, and the owner must not have to look for a wallet to stop a thief.
     */
    async cancel({ core, request }: Call): Promise<Response> {
      assertSameOrigin(request, core.origin);
      const asker = await requireAsker(core, request.headers);
      if (!(await cancelRecoveries(core.database, asker))) {
        throw new ApiError(
          "not_found",
          "There is no recovery to cancel: it was cancelled, or has taken effect.",
        );
      }
      await onEvent({ kind: "recovery_cancelled", userId: asker.userId });
      return new Response(null, { status: 204 });
    },
  };
}

/** Who hears of wrong codes. Nobody is refused for them: 120 bits need no limit for all clients together. */
export type WrongCodes = {
  /** Called with each. */
  onWrongCode?: () => void;
  /** Called once, in one of the processes, when there were many within an hour. */
  onMany: (message: string) => void;
};

const WINDOW_SECONDS = 60 * 60;
const MESSAGE = `more than ${WRONG_CODES_WARNED_PER_HOUR} wrong recovery codes within an hour`;

/**
 * Makes a function that passes on the outcome of a try. If the code was wrong, it counts that in the database of all
 * processes. Once the operator was warned it stops counting until the hour is over: otherwise every wrong code would
 * wait for one row.
 */
export function wrongCodeCounter({ onWrongCode, onMany }: WrongCodes) {
  let countsFrom = 0;
  const isTheFirstOfMany = async ({ database }: LoginCore) => {
    const values = ["wrong-recovery-codes", null, WRONG_CODES_WARNED_PER_HOUR, WINDOW_SECONDS];
    const [row] = await database.run<CountRow>(COUNT, values);
    const beyond = (row?.counted_requests ?? 0) - WRONG_CODES_WARNED_PER_HOUR;
    if (row && beyond > 0) countsFrom = performance.now() + row.counted_reset_ms;
    return beyond === 1;
  };
  return async <Value>(core: LoginCore, outcome: Promise<Value>): Promise<Value> => {
    try {
      return await outcome;
    } catch (error) {
      if (error instanceof Refusal && error.code === "invalid_recovery_code") {
        onWrongCode?.();
        if (performance.now() >= countsFrom && (await isTheFirstOfMany(core))) onMany(MESSAGE);
      }
      throw error;
    }
  };
}
