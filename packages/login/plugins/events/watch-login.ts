import type { LoginNotification } from "../../database/database.ts";
import type { RefusedEvent } from "../../protocol/messages.ts";

/** Calls `listener` on every change to a login session until the returned function is called. */
export type Subscribe = (sid: string, listener: (notification: LoginNotification) => void) => () => void;

/** An open stream of server-sent events. Text that is sent after its end is dropped. */
export type EventStream = { send(text: string): void; end(): void };

/** A reservation for one stream, which counts towards the limits. */
export type StreamSlot = {
  /** Opens the stream. `onEnd` runs once, regardless of which side ends it. */
  open(begin: (stream: EventStream) => void, onEnd: () => void): ReadableStream<Uint8Array>;
  /** Cancels the reservation if the stream was not opened. */
  release(): void;
};

/** The status of a login, as its page reads it. */
export type LoginStatus = { status: string };

/**
 * Sends server-sent events to the bound browser (docs/protocol.md#34-get-apisvcevents): the result of `look` now and
 * after every change, and a `refused` event when a wallet response was refused. The stream ends with the login.
 * @param look reads the status, for the bound browser only
 * @param stream.signal aborts when the browser disconnects
 * @throws {Refusal} as `look`, before the stream begins
 */
export async function watchLogin(
  sid: string,
  look: () => Promise<LoginStatus>,
  { subscribe, place, signal }: { subscribe: Subscribe; place: StreamSlot; signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  // Subscribes before it reads the first status, so that it does not miss a change in between.
  const missedNotifications: LoginNotification[] = [];
  let onNotification = (notification: LoginNotification) => void missedNotifications.push(notification);
  const unsubscribe = subscribe(sid, (notification) => onNotification(notification));
  try {
    const initialStatus = await look();
    const begin = (stream: EventStream) => {
      signal.addEventListener("abort", stream.end, { once: true });
      const report = statusReporter(stream);
      onNotification = ({ refused: reason }) => {
        // If this fails, the stream simply ends, and the page learns the reason from its next poll.
        if (reason === undefined) return void look().then(report).catch(stream.end);
        stream.send(`event: refused\ndata: ${JSON.stringify({ reason } satisfies RefusedEvent)}\n\n`);
      };
      report(initialStatus);
      missedNotifications.forEach(onNotification);
    };
    return place.open(begin, unsubscribe);
  } catch (error) {
    unsubscribe();
    place.release();
    throw error;
  }
}

/** The id of the last event. An `EventSource` sends it as `Last-Event-ID` when it reconnects. */
export const FINAL_EVENT_ID = "end";

/** Sends each status that differs from the last one. Ends the stream after `authenticated`, which is final. */
function statusReporter(stream: EventStream): (answer: LoginStatus) => void {
  let lastData = "";
  return (answer) => {
    const data = JSON.stringify(answer);
    const isFinal = answer.status === "authenticated";
    if (data !== lastData) stream.send(`${isFinal ? `id: ${FINAL_EVENT_ID}\n` : ""}data: ${data}\n\n`);
    lastData = data;
    if (isFinal) stream.end();
  };
}
