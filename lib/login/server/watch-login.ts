import type { CheckAnswer, RefusedEvent } from "../protocol/messages.ts";
import type { LoginNotification } from "../store/database.ts";
import { checkLoginOfBrowser } from "./check-login.ts";
import type { LoginCore } from "./core.ts";

/** One open stream of server-sent events. What is sent to one that has ended is dropped. */
export type EventStream = { send(text: string): void; end(): void };

/** A stream that may be opened, by whoever counts them. */
export type StreamPlace = {
  /** Opens it; `onEnd` runs once, whoever ends it. */
  open(begin: (stream: EventStream) => void, onEnd: () => void): ReadableStream<Uint8Array>;
  /** Gives the place back where no stream came of it. */
  release(): void;
};

/**
 * Server-sent events for the bound browser (docs/protocol.md#34-get-apisvcevents): the answer of `check` now and at
 * every change, and a `refused` event when a wallet was turned away. The stream ends with the login.
 * @param signal tells that the browser has hung up
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
        // The poll tells what failed.
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

/** Sends statuses as they change; an authenticated login has no other to come. */
function statusReporter(stream: EventStream): (answer: CheckAnswer) => void {
  let sent = "";
  return (answer) => {
    const data = JSON.stringify(answer);
    if (data !== sent) stream.send(`data: ${data}\n\n`);
    sent = data;
    if (answer.status === "authenticated") stream.end();
  };
}
