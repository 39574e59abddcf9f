import { refusal } from "../protocol/errors.ts";
import type { UndoAnswer } from "../protocol/messages.ts";
import { UNDO_PATH } from "../protocol/paths.ts";
import { isSid } from "../protocol/qr-payload.ts";
import { retryOnConflict } from "../store/database.ts";
import { endUndoneSessions, undoLogin as markUndone } from "../store/undo-login.ts";
import type { LoginCore } from "./core.ts";
import { hashSecret } from "./random.ts";

/** What a wallet's user takes a login back with. @param word known to the wallet that answered alone */
export function undoUrl({ origin }: LoginCore, sid: string, word: string): string {
  return `${origin.origin}${UNDO_PATH}?${new URLSearchParams({ s: sid, t: word })}`;
}

/**
 * Takes a login back, redeemed or not, with every browser session that it opened or that followed it by an approval
 * (docs/protocol.md#112-after-signing). Asked again it does the same.
 * @throws {Refusal} 404 `session_not_found` for another word, and ten minutes after the login was answered
 */
export async function undoLogin(
  core: LoginCore,
  { sid, word }: { sid: string; word: string },
  { requestId }: { requestId: string },
): Promise<UndoAnswer> {
  const undo = { now: core.now(), sid, undoHash: hashSecret(word) };
  const found = isSid(sid) ? await retryOnConflict(() => markUndone(core.database, undo)) : null;
  if (!found) {
    throw refusal(
      "session_not_found",
      "There is no login to take back: it is over, or more than ten minutes old.",
    );
  }
  // Twice: the first waits for an approval that is renewing such a session, the second sees the session that it opened.
  // Whatever begins later finds the session gone.
  for (const _pass of [1, 2])
    await retryOnConflict(() => endUndoneSessions(core.database, { ...undo, ...found }));
  if (found.isFirst) core.onStep({ requestId, flow: found.flow, sid, outcome: "undone" });
  return { status: "undone" };
}
