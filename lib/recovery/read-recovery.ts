import { isSid } from "#lib/login/protocol/qr-payload.ts";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { credentialName } from "#lib/names/credential-name.ts";
import { finishRecovery } from "./finish-recovery.ts";
import { recoveryOf, statusOf } from "./open-recovery.ts";
import type { RecoveryRules } from "./recovering-browser.ts";
import type { RecoveryView } from "./recovery-view.ts";
import { findRecoveringKey, type Recovery } from "./store/recovery.ts";

/**
 * Where the recovery of a browser stands. One that is due takes effect now, not at the job's next turn.
 * @param sid the login that the page names, whose answer is to be confirmed
 */
export async function readRecovery(
  core: LoginCore,
  headers: SentHeaders,
  sid: unknown,
  rules: RecoveryRules,
): Promise<RecoveryView> {
  const recovery = await finishedIfDue(core, headers, rules);
  if (!recovery) return { status: "none" };
  const status = statusOf(recovery, core.now());
  if (status === "open") {
    return sid === undefined
      ? openView(core, recovery)
      : answeredView(core, headers, recovery, String(sid), rules);
  }
  if (status !== "pending") return { status };
  const { userId, credential, takesEffectAt } = recovery;
  return {
    status,
    userId,
    credential: credentialName(credential ?? ""),
    takesEffectAt: (takesEffectAt ?? core.now()).toISOString(),
  };
}

async function finishedIfDue(
  core: LoginCore,
  headers: SentHeaders,
  { onEvent }: RecoveryRules,
): Promise<Recovery | null> {
  const recovery = await recoveryOf(core, headers);
  if (!recovery || statusOf(recovery, core.now()) !== "pending") return recovery;
  if ((recovery.takesEffectAt ?? core.now()) > core.now()) return recovery;
  await finishRecovery(core, recovery.id, onEvent);
  return recoveryOf(core, headers);
}

function openView(core: LoginCore, { userId, accountSince, expiresAt }: Recovery): RecoveryView {
  return {
    status: "open",
    userId,
    accountSince: accountSince.toISOString(),
    expiresAt: expiresAt.toISOString(),
    leftMs: expiresAt.getTime() - core.now().getTime(),
  };
}

async function answeredView(
  core: LoginCore,
  headers: SentHeaders,
  { id: recoveryId, userId }: Recovery,
  sid: string,
  { delaySeconds }: RecoveryRules,
): Promise<RecoveryView> {
  const secret = readBindingSecret(headers.get("cookie"), isSecure(core));
  if (secret === null || !isSid(sid)) return { status: "unanswered" };
  const browserHash = hashSecret(secret);
  const key = await findRecoveringKey(core.database, { now: core.now(), sid, browserHash, recoveryId });
  if (!key) return { status: "unanswered" };
  const { flow, value } = key;
  return {
    status: "answered",
    userId,
    sid,
    flow,
    credential: credentialName(value),
    waits: delaySeconds > 0,
  };
}
