import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { block, fail } from "../check.ts";
import type { Answer, HttpClient } from "../http-client.ts";

/** Fields that are not set have correct values. */
export type EventChanges = {
  /** Also the signed bytes, unless `signedBody` is set. */
  body?: string | Uint8Array;
  /** Signed instead of the body. */
  signedBody?: string;
  id?: string;
  signedId?: string;
  timestamp?: number;
  signedTimestamp?: number;
  secret?: string;
  /** Null omits a header. */
  headers?: Record<string, string | null>;
  chunked?: true;
};

export const nowSeconds = () => Math.floor(Date.now() / 1000);

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

export function svcSignature(secret: string | Uint8Array, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

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

/** `both`: the receiver requires both kinds of signature. */
type Families = { svc: boolean; standard: boolean; both: boolean };

export type FoundFamilies = { families?: Promise<Families> };

export type Receiver = ReturnType<typeof openReceiver>;

export function openReceiver(http: HttpClient, path: string, secret: string, run: FoundFamilies) {
  function send(changes: EventChanges = {}): Promise<Answer> {
    const { body = eventBody(), id = `evt_${randomUUID()}`, timestamp = nowSeconds(), chunked } = changes;
    const { signedBody = body, signedId = id, signedTimestamp = timestamp } = changes;
    const { secret: key = secret } = changes;
    const headers: Record<string, string | null> = {
      "Content-Type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": standardSignature(keyOf(key), signedId, signedTimestamp, signedBody),
      "x-svc-signature": svcSignature(key, signedBody),
      ...changes.headers,
    };
    const givenHeaders = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null);
    return http.send({ method: "POST", path, headers: Object.fromEntries(givenHeaders), body, chunked });
  }

  /**
   * Tests how the receiver verifies Standard Webhooks headers. The event has no other signature, or a correct one if
   * this receiver requires both kinds.
   */
  async function sendStandard(changes: EventChanges = {}): Promise<Answer> {
    const { both } = await families();
    const without: EventChanges["headers"] = both ? {} : { "x-svc-signature": null };
    return send({ ...changes, headers: { ...without, ...changes.headers } });
  }

  /** @throws {BlockedError} if the receiver refuses a correct event */
  function families(): Promise<Families> {
    run.families ??= findFamilies();
    return run.families.catch((error) => {
      delete run.families;
      throw error;
    });
  }

  async function findFamilies(): Promise<Families> {
    if (!isAccepted(await send())) block("The receiver refuses a correct event", undefined, "5.6-taken");
    // Refusing an event in which only one kind of signature is wrong means that the receiver verifies that kind.
    // Refusing only an event in which both kinds are wrong means that it accepts either kind.
    const wrongStandard = { "webhook-signature": `v1,${"A".repeat(43)}=` };
    const wrongSvc = { "x-svc-signature": "0".repeat(64) };
    const refuses = async (headers: Record<string, string>) => !isAccepted(await send({ headers }));
    const [standard, svc] = [await refuses(wrongStandard), await refuses(wrongSvc)];
    const isEither = !standard && !svc && (await refuses({ ...wrongStandard, ...wrongSvc }));
    return { standard: standard || isEither, svc: svc || isEither, both: standard && svc };
  }

  return { http, path, secret, send, sendStandard, families };
}

export const isAccepted = ({ status }: Answer) => status >= 200 && status < 300;

export function expectEventAccepted(answer: Answer, what: string): void {
  if (!isAccepted(answer)) fail(`${what}: the receiver answers ${answer.status} instead of 2xx.`);
}

export function expectRefused(answer: Answer, what: string): void {
  if (answer.status !== 401) fail(`${what}: the receiver answers ${answer.status} instead of 401.`);
}
