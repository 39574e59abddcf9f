import { type IncomingHttpHeaders, type RequestOptions, request, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { listen as listenAt } from "../wallet/hostile-site.ts";

/** What all reference implementations share: planted faults, a clock that a test moves, and refusals. */

/** Returns whether a fault is planted. Call it only where the fault would make a difference. */
export type HasFault = (fault: string) => boolean;

/** The faults that are planted in a reference implementation, and those that it has asked about. */
export class PlantedFaults {
  readonly faults: ReadonlySet<string>;
  /** A fault that is not in this set has not changed anything. */
  readonly asked = new Set<string>();
  /** The URL of the implementation, once it is listening. */
  origin = new URL("http://localhost");

  constructor(faults: readonly string[]) {
    this.faults = new Set(faults);
  }

  readonly has: HasFault = (fault) => {
    this.asked.add(fault);
    return this.faults.has(fault);
  };
}

/** Has its own clock, which a test can move. */
export class TestClock {
  #offsetSeconds = 0;

  get seconds(): number {
    return Date.now() / 1000 + this.#offsetSeconds;
  }

  advance(seconds: number): void {
    this.#offsetSeconds += seconds;
  }

  /** Returns the current time, or the time after this many seconds. */
  iso(inSeconds = 0): string {
    return new Date((this.seconds + inSeconds) * 1000).toISOString();
  }
}

/** A refusal by a reference implementation. */
export class SiteError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: object;
  constructor(status: number, code: string, message = "See the documentation.", details: object = {}) {
    super(message);
    this.details = details;
    this.status = status;
    this.code = code;
  }
}

export const invalidRequest = () => new SiteError(400, "invalid_request");

/** Starts a server on this machine. */
export async function listen(server: Server): Promise<{ origin: URL; close(): void }> {
  const { port, close } = await listenAt(server, 0, "127.0.0.1");
  return { origin: new URL(`http://localhost:${port}`), close };
}

/**
 * Waits for this many turns of the event loop, 5 ms each. After a single timer of the same total length, a delayed
 * process would continue before it reads what has arrived in the meantime.
 */
export async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await sleep(5);
}

/**
 * Sends a request and reads the complete response.
 * @param patience the time limit in milliseconds
 * @throws {Error} if there is no response, or not in time
 */
export function exchange(url: string, options: RequestOptions, body: string, patience = 0) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    let isAnswered = false;
    const sent = request(url, options, (response) => {
      isAnswered = true;
      const { statusCode: status = 0, headers } = response;
      // The response is read as raw bytes, because a decoder would drop a byte order mark.
      buffer(response).then((bytes) => resolve({ status, headers, text: bytes.toString() }), reject);
    });
    sent.on("error", reject);
    // This process also runs the server. If it was delayed, it first reads what has arrived in the meantime.
    const giveUp = async () => {
      for (let turn = 0; turn < 4; turn++) await setImmediate();
      if (!isAnswered) sent.destroy(new Error("too slow"));
    };
    if (patience > 0) sent.setTimeout(patience, giveUp);
    sent.end(body);
  });
}

/** Stops what was started when its test ends. */
export async function closeAfterTest<Started extends { close(): void }>(
  siteStart: Promise<Started>,
): Promise<Started> {
  const started = await siteStart;
  onTestFinished(() => started.close());
  return started;
}
