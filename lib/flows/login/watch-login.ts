import "server-only";
import { type CheckAnswer, parseRefusal, type RefusedEvent } from "#lib/contracts/login-session.ts";
import { type EventStream, eventStreams } from "#lib/core/http/event-streams.ts";
import { type LoginNotice, loginNotices } from "#lib/store/login-notices.ts";
import { checkLoginOfBrowser } from "./check-login.ts";

/**
 * Contract 4, `GET /api/svc/events`: server-sent events with the answer of `check` now and at every change, and
 * a `refused` event when a wallet was turned away. The stream ends with the login, after a minute, or when the
 * server stops; the browser reconnects by itself, and its poll is enough without any of this.
 * @param browser.address the client's, whose streams are counted
 * @param signal tells that the browser has hung up
 * @throws {ApiError} as `checkLoginOfBrowser`, before the stream begins; 429 and 503 when there are too many
 */
export async function watchLogin(
  sid: string,
  browser: { secret: string | null; address: string },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const look = () => checkLoginOfBrowser(sid, browser.secret);
  const place = eventStreams().reserve(browser.address);
  // Subscribed before the first look, so that no change falls between the two.
  const missed: LoginNotice[] = [];
  let onNotice = (notice: LoginNotice) => void missed.push(notice);
  const unsubscribe = loginNotices().subscribe(sid, (notice) => onNotice(notice));
  try {
    const first = await look();
    const begin = (stream: EventStream) => {
      signal.addEventListener("abort", stream.end, { once: true });
      const tell = statusTeller(stream);
      onNotice = (notice) => void follow({ stream, tell, look }, notice);
      tell(first);
      missed.forEach(onNotice);
    };
    return place.open(begin, unsubscribe);
  } catch (error) {
    unsubscribe();
    place.release();
    throw error;
  }
}

/** Sends statuses as they change; an authenticated login has no other to come. */
function statusTeller(stream: EventStream): (answer: CheckAnswer) => void {
  let told = "";
  return (answer) => {
    const data = JSON.stringify(answer);
    if (data !== told) stream.send(`data: ${data}\n\n`);
    told = data;
    if (answer.status === "authenticated") stream.end();
  };
}

type Watch = {
  stream: EventStream;
  tell: (answer: CheckAnswer) => void;
  look: () => Promise<CheckAnswer>;
};

async function follow({ stream, tell, look }: Watch, { refused }: LoginNotice): Promise<void> {
  const reason = parseRefusal(refused);
  if (reason !== null) {
    const event: RefusedEvent = { reason };
    stream.send(`event: refused\ndata: ${JSON.stringify(event)}\n\n`);
    return;
  }
  try {
    tell(await look());
  } catch {
    // The session has ended or the database is away: the poll tells which.
    stream.end();
  }
}
