import { timingSafeEqual } from "node:crypto";
import { type Refusal, refusal } from "../protocol/errors.ts";
import type { CheckAnswer, RefusedEvent } from "../protocol/messages.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import type { LoginNotification } from "../store/database.ts";
import { findLoginSession, type LoginSessionState } from "../store/login-session.ts";
import type { LoginCore } from "./core.ts";
import { hashSecret } from "./random.ts";

/**
 * Where a login stands; the sid alone is enough to ask (docs/protocol.md#33-get-apisvccheck).
 * @throws {Refusal} 404 for an unknown sid, 410 for a login that was not renewed for ten minutes or was taken back
 */
export async function checkLogin(core: LoginCore, sid: string): Promise<CheckAnswer> {
  const session = await findLoginSession(core.database, sid);
  if (!session) throw unknownSession();
  return answerOf(core, session);
}

/**
 * As `checkLogin`, but only for the browser that the login is bound to.
 * @throws {Refusal} as `checkLogin`; 404 for another browser, as if there were no such login
 */
async function checkLoginOfBrowser(
  core: LoginCore,
  { sid, secret }: { sid: string; secret: string | null },
): Promise<CheckAnswer> {
  const session = await findLoginSession(core.database, sid);
  if (!secret || !session?.browserHash || !timingSafeEqual(hashSecret(secret), session.browserHash)) {
    throw unknownSession();
  }
  return answerOf(core, session);
}

function answerOf({ afterLogin, now }: LoginCore, session: LoginSessionState): CheckAnswer {
  if (session.challengedAt <= addSeconds(now(), -LOGIN_SESSION_IDLE_SECONDS)) {
    throw refusal("session_expired", "This session has ended. Ask /api/svc/qr for a new one.");
  }
  if (session.isUndone) {
    throw refusal(
      "session_expired",
      "This login was taken back in its user's wallet. Ask /api/svc/qr for a new one.",
    );
  }
  const { status, userId } = session;
  if (status !== "authenticated") return { status };
  if (userId === null) throw new Error("an authenticated session without a user");
  return { status, user_id: userId, redirect: afterLogin };
}

function unknownSession(): Refusal {
  return refusal("session_not_found", "There is no such session. Ask /api/svc/qr for a new one.");
}

/** An open stream of server-sent events. Text that is sent after its end is dropped. */
export type EventStream = { send(text: string): void; end(): void };

/** A place for one stream, among those that are counted. */
export type StreamPlace = {
  /** Opens the stream. `onEnd` runs once, whichever side ends it. */
  open(begin: (stream: EventStream) => void, onEnd: () => void): ReadableStream<Uint8Array>;
  /** Gives the place back if no stream was opened. */
  release(): void;
};

/**
 * Server-sent events for the bound browser (docs/protocol.md#34-get-apisvcevents): the answer of `check` now and at
 * every change, and a `refused` event when a wallet was turned away. The stream ends with the login.
 * @param signal aborts when the browser hangs up
 * @throws {Refusal} as `checkLoginOfBrowser`, before the stream begins
 */
export async function watchLogin(
  core: LoginCore,
  browser: { sid: string; secret: string | null },
  place: StreamPlace,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const look = () => checkLoginOfBrowser(core, browser);
  // Subscribed before the first look, so that no change falls between the two.
  const missed: LoginNotification[] = [];
  let onNotification = (notification: LoginNotification) => void missed.push(notification);
  const unsubscribe = core.subscribe(browser.sid, (notification) => onNotification(notification));
  try {
    const first = await look();
    const begin = (stream: EventStream) => {
      signal.addEventListener("abort", stream.end, { once: true });
      const report = statusReporter(stream);
      onNotification = ({ refused: reason }) => {
        // If this fails the stream just ends: the page's poll learns why.
        if (reason === undefined) return void look().then(report).catch(stream.end);
        stream.send(`event: refused\ndata: ${JSON.stringify({ reason } satisfies RefusedEvent)}\n\n`);
      };
      report(first);
      missed.forEach(onNotification);
    };
    return place.open(begin, unsubscribe);
  } catch (error) {
    unsubscribe();
    place.release();
    throw error;
  }
}

/** The id of the event after which none follows. An `EventSource` sends it as `Last-Event-ID` when it reconnects. */
export const LAST_EVENT_ID = "end";

/** Sends each status that differs from the last one. Ends the stream after `authenticated`, which is final. */
function statusReporter(stream: EventStream): (answer: CheckAnswer) => void {
  let sent = "";
  return (answer) => {
    const data = JSON.stringify(answer);
    const isFinal = answer.status === "authenticated";
    if (data !== sent) stream.send(`${isFinal ? `id: ${LAST_EVENT_ID}\n` : ""}data: ${data}\n\n`);
    sent = data;
    if (isFinal) stream.end();
  };
}
