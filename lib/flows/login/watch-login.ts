import "server-only";
import { EVENT_STREAM_SECONDS } from "#lib/contracts/limits.ts";
import type { CheckAnswer, RefusedEvent } from "#lib/contracts/login-session.ts";
import { whenStopping } from "#lib/core/shutdown.ts";
import { type LoginNotice, loginNotices } from "#lib/store/login-notices.ts";
import { checkLoginOfBrowser } from "./check-login.ts";

/**
 * Contract 4, `GET /api/svc/events`: server-sent events with the answer of `check` now and at every change, and
 * a `refused` event when a wallet was turned away. The stream ends after a minute, with the login, or when the
 * server stops; the browser reconnects by itself, and its poll is enough without any of this.
 * @throws {ApiError} as `checkLoginOfBrowser`, before the stream begins
 */
export async function watchLogin(
  sid: string,
  secret: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  // Subscribed before the first look, so that no change falls between the two.
  const missed: LoginNotice[] = [];
  let onNotice = (notice: LoginNotice) => void missed.push(notice);
  const unsubscribe = loginNotices().subscribe(sid, (notice) => onNotice(notice));
  try {
    const first = await checkLoginOfBrowser(sid, secret);
    const look = () => checkLoginOfBrowser(sid, secret);
    let hangUp = unsubscribe;
    return new ReadableStream({
      start(controller) {
        const stream = openStream(controller, unsubscribe, signal);
        hangUp = stream.abandon;
        onNotice = (notice) => void follow(stream, notice, look);
        stream.tell(first);
        missed.forEach(onNotice);
      },
      cancel: () => hangUp(),
    });
  } catch (error) {
    unsubscribe();
    throw error;
  }
}

type LoginStream = ReturnType<typeof openStream>;

function openStream(
  controller: ReadableStreamDefaultController<Uint8Array>,
  cleanUp: () => void,
  signal: AbortSignal,
) {
  const encoder = new TextEncoder();
  let open = true;
  let told = "";
  const write = (text: string) => {
    if (open) controller.enqueue(encoder.encode(text));
  };
  // The reader is gone: a cancelled stream is closed already, and closing it again throws.
  const abandon = () => {
    open = false;
    clearTimeout(timer);
    forgetStopping();
    signal.removeEventListener("abort", end);
    cleanUp();
  };
  const end = () => {
    if (!open) return;
    abandon();
    controller.close();
  };
  const timer = setTimeout(end, EVENT_STREAM_SECONDS * 1000);
  const forgetStopping = whenStopping(end);
  signal.addEventListener("abort", end, { once: true });
  return {
    end,
    abandon,
    tell(answer: CheckAnswer) {
      const data = JSON.stringify(answer);
      if (data !== told) write(`data: ${data}\n\n`);
      told = data;
      if (answer.status === "authenticated") end();
    },
    tellRefused(event: RefusedEvent) {
      write(`event: refused\ndata: ${JSON.stringify(event)}\n\n`);
    },
  };
}

async function follow(
  stream: LoginStream,
  { refused }: LoginNotice,
  look: () => Promise<CheckAnswer>,
): Promise<void> {
  if (refused === "challenge_expired" || refused === "invalid_signature") {
    stream.tellRefused({ reason: refused });
    return;
  }
  try {
    stream.tell(await look());
  } catch {
    // The session has ended or the database is away: the poll tells which.
    stream.end();
  }
}
