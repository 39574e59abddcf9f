import { findClientNetwork } from "../../http/client-address.ts";
import {
  EVENT_STREAM_HEARTBEAT_SECONDS,
  EVENT_STREAM_LIFETIME_SECONDS,
  EVENT_STREAMS_PER_ADDRESS,
  EVENT_STREAMS_PER_PROCESS,
  NETWORK_LIMIT_FACTOR,
} from "../../http/numbers.ts";
import { rateLimitRefusal } from "../../http/request-limit.ts";
import { onStopping, processSingleton } from "../../process/state.ts";
import { refusal } from "../../protocol/errors.ts";
import type { EventStream, StreamSlot } from "./watch-login.ts";

/** After a refusal. The browser polls in the meantime. */
const RETRY_SECONDS = 30;
const TICK_MS = 1_000;
const BEAT = ": beat\n\n";

type OpenStream = EventStream & { beatAt: number; endAt: number };

/**
 * Each stream regularly sends a comment, so that proxies keep it open and disconnected readers are detected. A stream
 * ends after a minute. When the process stops, all streams end immediately, because a draining server would wait for
 * them.
 */
export class EventStreams {
  readonly #places = new Map<string, number>();
  readonly #open = new Set<OpenStream>();
  readonly #encoder = new TextEncoder();
  #reserved = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @throws {Refusal} 429 if the address has reached its limit; 503 if the process has reached its limit */
  reserve(address: string): StreamSlot {
    if (this.#reserved >= EVENT_STREAMS_PER_PROCESS) {
      const headers = { "Retry-After": String(RETRY_SECONDS) };
      throw refusal("service_unavailable", "Too many streams are open. Poll instead.", { headers });
    }
    const holders = holdersOf(address);
    const fullHolder = holders.find(({ name, places }) => (this.#places.get(name) ?? 0) >= places);
    if (fullHolder) {
      const message = "Too many streams are open from your address. Poll instead.";
      throw rateLimitRefusal(fullHolder.places, RETRY_SECONDS * 1000, message);
    }
    this.#reserved++;
    for (const { name } of holders) this.#places.set(name, (this.#places.get(name) ?? 0) + 1);
    let isReserved = true;
    const release = () => {
      if (isReserved) this.#giveBack(address);
      isReserved = false;
    };
    const open: StreamSlot["open"] = (begin, onEnd) =>
      this.#stream(begin, () => {
        release();
        onEnd();
      });
    return { open, release };
  }

  #giveBack(address: string): void {
    this.#reserved--;
    for (const { name } of holdersOf(address)) {
      const remaining = (this.#places.get(name) ?? 1) - 1;
      if (remaining > 0) this.#places.set(name, remaining);
      else this.#places.delete(name);
    }
  }

  #stream(begin: (stream: EventStream) => void, onEnd: () => void): ReadableStream<Uint8Array> {
    let forget = () => {};
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const now = performance.now();
        const stream: OpenStream = {
          beatAt: now + EVENT_STREAM_HEARTBEAT_SECONDS * 1000,
          endAt: now + EVENT_STREAM_LIFETIME_SECONDS * 1000,
          send: (text) => {
            if (this.#open.has(stream)) controller.enqueue(this.#encoder.encode(text));
          },
          end: () => {
            if (!this.#open.has(stream)) return;
            forget();
            controller.close();
          },
        };
        // Does not close the stream: if the reader has cancelled the stream, closing it would throw.
        forget = () => {
          if (this.#open.delete(stream)) onEnd();
        };
        this.#open.add(stream);
        this.#timer ??= this.#startTimer();
        begin(stream);
      },
      cancel: () => forget(),
    });
  }

  #startTimer(): NodeJS.Timeout {
    const timer = setInterval(() => this.#tick(performance.now()), TICK_MS);
    onStopping(() => {
      clearInterval(timer);
      for (const stream of [...this.#open]) stream.end();
    });
    return timer;
  }

  #tick(now: number): void {
    for (const stream of [...this.#open]) {
      if (stream.endAt <= now) stream.end();
      else if (stream.beatAt <= now) {
        stream.beatAt = now + EVENT_STREAM_HEARTBEAT_SECONDS * 1000;
        stream.send(BEAT);
      }
    }
  }
}

/** Includes an IPv6 client's network. */
function holdersOf(address: string): { name: string; places: number }[] {
  const network = findClientNetwork(address);
  const addressLimit = { name: address, places: EVENT_STREAMS_PER_ADDRESS };
  return network
    ? [addressLimit, { name: network, places: EVENT_STREAMS_PER_ADDRESS * NETWORK_LIMIT_FACTOR }]
    : [addressLimit];
}

export const eventStreams = processSingleton("event-streams", () => new EventStreams());
