import "server-only";
import type { Call } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";
import { log } from "#lib/platform/log.ts";
import { loginCore } from "#lib/platform/login.ts";
import { meters } from "#lib/platform/observe/meters.ts";
import { type RecoveryCall, recoveryHandlers } from "#lib/recovery/recovery-handlers.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { approvalWays } from "./require-approval.ts";
import { onRecoveryEvent } from "./take-recovery-effect.ts";

/** The endpoints of codes and recoveries here (docs/protocol.md#10-recovery). */

type CountedCall = RecoveryCall & Pick<Call, "count">;

export const handlers = recoveryHandlers<CountedCall>({
  countTry: (name, { request, count }) => count(limitOfClient(name, request)),
  wrongCodes: {
    onWrongCode: () => meters()?.wrongRecoveryCode(),
    onMany: (message) => log().warn(message),
  },
  approvalWays,
  onEvent: onRecoveryEvent,
});

/** `POST /api/recovery`, which nobody is signed in for: the tries of codes are its limit. */
export const openRecovery = endpoint({}, (call) => handlers.open(asRecoveryCall(call)));

/** Mounts one of the signed-in user's at the door. */
export function recoveryEndpoint(handle: (call: CountedCall) => Promise<Response>) {
  return accountEndpoint((call) => handle(asRecoveryCall(call)));
}

function asRecoveryCall({ request, count }: Call): CountedCall {
  return { core: loginCore(), request, count, body: (schema) => parseBody(request, schema) };
}
