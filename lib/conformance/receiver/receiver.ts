import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { Blocked, fail } from "../check.ts";
import type { Answer, HttpClient } from "../http-client.ts";

/** An event as the hosted API sends it; what is left out is right. */
export type EventChanges = {
  /** The bytes to send; signed as they stand unless `signedBody` is given. */
  body?: string | Uint8Array;
  /** What is signed instead of the body. */
  signedBody?: string;
  id?: string;
  signedId?: string;
  /** Unix seconds. */
  timestamp?: number;
  signedTimestamp?: number;
  secret?: string;
  /** Replaces headers; null leaves one out. */
  headers?: Record<string, string | null>;
  chunked?: true;
};

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The body of an event (docs/protocol.md#56-events). */
export function eventBody(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    event: "login",
    timestamp: new Date().toISOString(),
    session_id: randomUUID(),
    data: {
      public_key: `04${"11".repeat(64)}`,
      signature: `3006${"020101".repeat(2)}`,
      challenge: `svc:login:shop.example:${nowSeconds()}:${"A".repeat(32)}`,
      signed_at: nowSeconds(),
      device_info: { platform: "ios", version: "2.1.0", device_id: "conformance" },
    },
    ...changes,
  });
}

/** The hex HMAC over only the body, keyed by the secret's text. */
export function svcSignature(secret: string | Uint8Array, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** A signature of Standard Webhooks. */
export function standardSignature(
  key: Uint8Array | string,
  id: string,
  timestamp: number,
  body: string | Uint8Array,
) {
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
export const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ""), "base64");

/** Which families of signatures a receiver judges, and whether it wants both at once. */
export type Families = { svc: boolean; standard: boolean; both: boolean };

/** A receiver under test, as one check speaks to it. */
export class Receiver {
  readonly http: HttpClient;
  readonly path: string;
  readonly secret: string;
  /** What all checks of a run share. */
  readonly run: { families?: Promise<Families> };

  constructor(parts: Pick<Receiver, "http" | "path" | "secret" | "run">) {
    this.http = parts.http;
    this.path = parts.path;
    this.secret = parts.secret;
    this.run = parts.run;
  }

  /** Sends an event, signed in both families. */
  send(changes: EventChanges = {}): Promise<Answer> {
    const {
      body = eventBody(),
      id = `evt_${randomUUID()}`,
      timestamp = nowSeconds(),
      secret = this.secret,
    } = changes;
    const signed = changes.signedBody ?? body;
    const signedTimestamp = changes.signedTimestamp ?? timestamp;
    const headers: Record<string, string | null> = {
      "Content-Type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": standardSignature(keyOf(secret), changes.signedId ?? id, signedTimestamp, signed),
      "x-svc-signature": svcSignature(secret, signed),
      ...changes.headers,
    };
    const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null);
    const { chunked } = changes;
    return this.http.send({
      ...{ method: "POST", path: this.path, headers: Object.fromEntries(given), body, chunked },
    });
  }

  /**
   * Sends an event that is judged only by its Standard Webhooks headers: the other family's is left out, or correct if
   * this receiver wants both.
   */
  async sendStandard(changes: EventChanges = {}): Promise<Answer> {
    const { both } = await this.families();
    const without: EventChanges["headers"] = both ? {} : { "x-svc-signature": null };
    return this.send({ ...changes, headers: { ...without, ...changes.headers } });
  }

  /** The families of signatures that this receiver goes by. @throws {Blocked} where it takes no event at all */
  families(): Promise<Families> {
    this.run.families ??= this.#findFamilies();
    return this.run.families.catch((error) => {
      delete this.run.families;
      throw error;
    });
  }

  async #findFamilies(): Promise<Families> {
    if (!isTaken(await this.send())) throw new Blocked("The receiver does not take a correct event.");
    // A receiver that refuses one wrong family goes by it. One that refuses only if both are wrong takes either.
    const wrongStandard = { "webhook-signature": `v1,${"A".repeat(43)}=` };
    const wrongSvc = { "x-svc-signature": "0".repeat(64) };
    const refuses = async (headers: Record<string, string>) => !isTaken(await this.send({ headers }));
    const [standard, svc] = [await refuses(wrongStandard), await refuses(wrongSvc)];
    const isEither = !standard && !svc && (await refuses({ ...wrongStandard, ...wrongSvc }));
    return { standard: standard || isEither, svc: svc || isEither, both: standard && svc };
  }
}

export const isTaken = ({ status }: Answer) => status >= 200 && status < 300;

/** @throws {Failure} unless the answer is a 2xx */
export function expectTaken(answer: Answer, what: string): void {
  if (!isTaken(answer)) fail(`${what}: the receiver answers ${answer.status} instead of 2xx.`);
}

/** @throws {Failure} unless the answer is 401 */
export function expectRefused(answer: Answer, what: string): void {
  if (answer.status !== 401) fail(`${what}: the receiver answers ${answer.status} instead of 401.`);
}
