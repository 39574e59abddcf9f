import "server-only";
import type { Call } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { limitOfClient, requestLimit } from "#lib/platform/http/rate-limit.ts";
import { loginCore } from "#lib/platform/login.ts";
import { type RecoveryCall, recoveryHandlers } from "#lib/recovery/recovery-handlers.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { requireApproval } from "./require-approval.ts";
import { onRecoveryEvent } from "./take-recovery-effect.ts";

/** The endpoints of codes and recoveries here (docs/protocol.md#10-recovery). */

type CarriedCall = RecoveryCall & Pick<Call, "carry">;

export const handlers = recoveryHandlers<CarriedCall>({
  async countTry(name, { request, carry }) {
    // The client's own first, so that nobody who is over that uses up what all clients share.
    const own = limitOfClient(name, request);
    carry(own);
    await own.take();
    await requestLimit(`${name}-in-all`, "everybody").take();
  },
  requireApproval,
  onEvent: onRecoveryEvent,
});

/** `POST /api/recovery`, which nobody is signed in for: the tries of codes are its limit. */
export const openRecovery = endpoint({}, (call) => handlers.open(asRecoveryCall(call)));

/** Mounts one of the signed-in user's at the door. */
export function recoveryEndpoint(handle: (call: CarriedCall) => Promise<Response>) {
  return accountEndpoint((call) => handle(asRecoveryCall(call)));
}

function asRecoveryCall({ request, carry }: Call): CarriedCall {
  return { core: loginCore(), request, carry, body: (schema) => parseBody(request, schema) };
}
