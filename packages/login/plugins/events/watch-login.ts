import type { LoginNotification } from "../../database/database.ts";
import type { RefusedEvent } from "../../protocol/messages.ts";

export type Subscribe = (sid: string, listener: (notification: LoginNotification) => void) => () => void;

/** Ignores text that is sent after the stream has ended. */
export type EventStream = { send(text: string): void; end(): void };

/** Counts against the limits for open streams. */
export type StreamSlot = {
  /** `onEnd` is called once, whichever side ends the stream. */
  open(begin: (stream: EventStream) => void, onEnd: () => void): ReadableStream<Uint8Array>;
  /** Needed only if the stream was not opened. */
  release(): void;
};

export type LoginStatus = { status: string };

/**
 * Sends the result of `look` now and after every change, and a `refused` event for each refused wallet response
 * (docs/protocol.md#34-get-apisvcevents). The stream ends when the login ends.
 * @param look reads the status, but only for the browser to which the login is bound
 * @param stream.signal aborts when the browser disconnects
 * @throws {Refusal} any that `look` throws before the stream begins
 */
export async function watchLogin(
  sid: string,
  look: () => Promise<LoginStatus>,
  { subscribe, place, signal }: { subscribe: Subscribe; place: StreamSlot; signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  // Subscribes before reading the first status, so that no change in between is missed.
  const missedNotifications: LoginNotification[] = [];
  let onNotification = (notification: LoginNotification) => void missedNotifications.push(notification);
  const unsubscribe = subscribe(sid, (notification) => onNotification(notification));
  try {
    const initialStatus = await look();
    const begin = (stream: EventStream) => {
      signal.addEventListener("abort", stream.end, { once: true });
      const report = statusReporter(stream);
      onNotification = ({ refused: reason }) => {
        // If reading the status fails, the stream just ends, and the page's next poll returns the reason.
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

/** When an `EventSource` reconnects, it sends the last event's id as `Last-Event-ID`. */
export const FINAL_EVENT_ID = "end";

/** Skips a status that equals the previous one, and ends the stream after `authenticated`, which is final. */
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
