import { type IncomingHttpHeaders, type RequestOptions, request, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { listen as listenAt } from "../wallet/hostile-site.ts";

/** Faults that tests can plant, a clock that tests can advance, and refusals. */

/** Call this only where the fault would make a difference. */
export type HasFault = (fault: string) => boolean;

/** `asked` are the faults that the implementation has asked about. */
export class PlantedFaults {
  readonly faults: ReadonlySet<string>;
  /** Other faults would not have changed the implementation's behaviour. */
  readonly asked = new Set<string>();
  origin = new URL("http://localhost");

  constructor(faults: readonly string[]) {
    this.faults = new Set(faults);
  }

  readonly has: HasFault = (fault) => {
    this.asked.add(fault);
    return this.faults.has(fault);
  };
}

/** Runs at normal speed, and a test can advance it. */
export class TestClock {
  #offsetSeconds = 0;

  get seconds(): number {
    return Date.now() / 1000 + this.#offsetSeconds;
  }

  advance(seconds: number): void {
    this.#offsetSeconds += seconds;
  }

  iso(inSeconds = 0): string {
    return new Date((this.seconds + inSeconds) * 1000).toISOString();
  }
}

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

export async function listen(server: Server): Promise<{ origin: URL; close(): void }> {
  const { port, close } = await listenAt(server, 0, "127.0.0.1");
  return { origin: new URL(`http://localhost:${port}`), close };
}

/**
 * Each turn of the event loop is at least 5 ms long. In each turn, a delayed process reads what has arrived in the
 * meantime. After a single long timer, it would not.
 */
export async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await sleep(5);
}

/**
 * Sends a request and reads the complete response.
 * @param patience the time limit in milliseconds; 0 for no limit
 * @throws {Error} if no response arrives in time
 */
export function exchange(url: string, options: RequestOptions, body: string, patience = 0) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    let isAnswered = false;
    const sent = request(url, options, (response) => {
      isAnswered = true;
      const { statusCode: status = 0, headers } = response;
      // Raw bytes, because a decoder would remove a byte order mark.
      buffer(response).then((bytes) => resolve({ status, headers, text: bytes.toString() }), reject);
    });
    sent.on("error", reject);
    // If this process, which also runs the server, was delayed, it must first read what has arrived in the meantime.
    const giveUp = async () => {
      for (let turn = 0; turn < 4; turn++) await setImmediate();
      if (!isAnswered) sent.destroy(new Error("too slow"));
    };
    if (patience > 0) sent.setTimeout(patience, giveUp);
    sent.end(body);
  });
}

export async function closeAfterTest<Started extends { close(): void }>(
  siteStart: Promise<Started>,
): Promise<Started> {
  const started = await siteStart;
  onTestFinished(() => started.close());
  return started;
}
