import { z } from "zod";
import {
  COUNT_REQUEST,
  type CountRequestParameters,
  type RequestCounts,
} from "../../database/sql-function.ts";
import { jsonResponse } from "../../http/call.ts";
import { Refusal, refusal } from "../../protocol/errors.ts";
import { RECOVERY_PERMISSION_SECONDS, WRONG_CODES_WARNED_PER_HOUR } from "../../protocol/numbers.ts";
import { createRecoveryCookie } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import { assertSameOrigin, readUserAgent } from "../../server/web-request.ts";
import { countClientRequest, createAccountRoute } from "../../site/answer-login.ts";
import type { Routes, Site, SiteCall } from "../../site/plugin.ts";
import { removeSignInMethodsBeforeRecovery } from "../account/store/credential.ts";
import { notSignedInRefusal, requireApproval, requireRequester } from "../approvals/requester.ts";
import {
  activateRecoveryCodes,
  checkRecoveryCode,
  createRecoveryCodes,
  openRecovery,
} from "./recovery-codes.ts";
import { createRecoveryOptions } from "./site-recovery.ts";
import { cancelRecoveries } from "./store/recovery.ts";

const TypedCode = z.object({ code: z.string() });
const TypedCodes = z.object({ codes: z.array(z.string()).length(2) });

/** The endpoints of docs/protocol.md#10-recovery, and one that removes the sign-in methods that predate a recovery. */
export function createRecoveryRoutes(site: Site): Routes {
  const { onEvent } = createRecoveryOptions(site);
  const noteWrongCode = createWrongCodeCounter(site.options.onWrongCode ?? (() => {}), (message) =>
    site.onFailure("recovery codes are tried", message),
  );

  /** Pages of other sites cannot use up the browser's attempts. */
  const open = async (call: SiteCall) => {
    const { core, request } = call;
    assertSameOrigin(request, core.origin);
    const { code } = await call.body(TypedCode);
    await countClientRequest(site, "recovery", call);
    const openedRecovery = openRecovery(core, { code: code, userAgent: readUserAgent(request.headers) });
    const { expiresAt, secret, userId } = await noteWrongCode(core, openedRecovery);
    await onEvent({ kind: "recovery_opened", userId });
    const cookie = createRecoveryCookie(secret, RECOVERY_PERMISSION_SECONDS, core.origin);
    const answer = { status: "open", expires_at: expiresAt.toISOString() };
    return jsonResponse(200, answer, { "Set-Cookie": cookie });
  };

  /** No other response ever contains these codes. */
  const create = async ({ core, request }: SiteCall) => {
    const asker = await requireApproval(core, request.headers);
    const { userId } = asker;
    const newCodes = await createRecoveryCodes(core, asker);
    if (!newCodes) throw notSignedInRefusal();
    if (newCodes.cancelled) await onEvent({ kind: "recovery_cancelled", userId });
    await onEvent({ kind: "recovery_codes_made", userId });
    return jsonResponse(201, { codes: newCodes.codes, status: "unconfirmed" });
  };

  const confirm = async ({ core, request, body }: SiteCall) => {
    const { codes } = await body(TypedCodes);
    await activateRecoveryCodes(core, await requireRequester(core, request.headers), codes);
    return jsonResponse(200, { status: "active" });
  };

  /** The request limit is as strict as the limit for opening a recovery. */
  const check = async (call: SiteCall) => {
    const { core, request } = call;
    const { code } = await call.body(TypedCode);
    const { userId } = await requireRequester(core, request.headers);
    await countClientRequest(site, "recovery-check", call);
    await noteWrongCode(core, checkRecoveryCode(core, userId, code));
    return jsonResponse(200, { status: "active" });
  };

  /** Needs no approval: a user who has lost their keys cannot approve anything, but must be able to stop a thief. */
  const cancel = async ({ core, request }: SiteCall) => {
    const asker = await requireRequester(core, request.headers);
    if (!(await cancelRecoveries(core.database, asker))) {
      throw refusal(
        "not_found",
        "There is no recovery to cancel. It was already cancelled, or it has taken effect.",
      );
    }
    await onEvent({ kind: "recovery_cancelled", userId: asker.userId });
    return new Response(null, { status: 204 });
  };

  return {
    "/api/recovery": { methods: ["POST"], handle: open },
    "/api/account/recovery": createAccountRoute(site, { DELETE: cancel }),
    "/api/account/recovery-codes": createAccountRoute(site, { POST: create }),
    "/api/account/recovery-codes/confirm": createAccountRoute(site, { POST: confirm }),
    "/api/account/recovery-codes/check": createAccountRoute(site, { POST: check }),
    "/api/account/credentials/before-recovery": createAccountRoute(site, {
      DELETE: removePreviousSignInMethods,
    }),
  };
}

/** As long as these methods exist, someone who has stolen the wallet can sign in. */
async function removePreviousSignInMethods({ core, request }: SiteCall): Promise<Response> {
  const asker = await requireApproval(core, request.headers);
  if (!(await removeSignInMethodsBeforeRecovery(core.database, asker))) throw notSignedInRefusal();
  return new Response(null, { status: 204 });
}

const WINDOW_SECONDS = 60 * 60;
/** The largest number that a counter can store, in effect no limit. */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * The count includes all processes. The function never refuses an attempt, because codes of 120 bits need no global
 * limit. Once the operator has been warned, it stops counting until the hour ends. Otherwise, every wrong code would
 * have to wait for the same row.
 * @param onWrongCode called for each wrong code
 * @param onMany called once, by only one of the processes, after many wrong codes within an hour
 */
export function createWrongCodeCounter(onWrongCode: () => void, onMany: (message: string) => void) {
  let pausedUntil = 0;
  const isLimitExceededNow = async ({ database }: LoginCore) => {
    const values: CountRequestParameters = ["wrong-recovery-codes", null, NO_LIMIT, null, WINDOW_SECONDS];
    const [row] = await database.run<RequestCounts>(COUNT_REQUEST, values);
    const excess = (row?.counted_requests ?? 0) - WRONG_CODES_WARNED_PER_HOUR;
    if (row && excess > 0) pausedUntil = performance.now() + row.counted_reset_ms;
    return excess === 1;
  };
  return async <Value>(core: LoginCore, outcome: Promise<Value>): Promise<Value> => {
    try {
      return await outcome;
    } catch (error) {
      if (error instanceof Refusal && error.code === "invalid_recovery_code") {
        onWrongCode();
        if (performance.now() >= pausedUntil && (await isLimitExceededNow(core))) {
          onMany(`more than ${WRONG_CODES_WARNED_PER_HOUR} wrong recovery codes within an hour`);
        }
      }
      throw error;
    }
  };
}
