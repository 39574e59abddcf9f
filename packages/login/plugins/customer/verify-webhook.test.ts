import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyWebhook, webhookKey } from "./verify-webhook.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_b2xkIHNlY3JldCBvbGQgc2VjcmV0IG9sZCBzZWNyZXQ=";
const SENT_AT = 1_614_265_330;
const BODY = utf8ToBytes('{"test": 2432232314}');

/** A separate implementation of HMAC and base64. */
function sign(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  const key = base64.decode(secret.slice("whsec_".length));
  return `v1,${base64.encode(hmac(sha256, key, concatBytes(utf8ToBytes(`${id}.${timestamp}.`), body)))}`;
}

type SentEvent = { id?: string; timestamp?: string; signature?: string; body?: Uint8Array };

function verify(event: SentEvent, { secrets = [SECRET], atSeconds = SENT_AT } = {}) {
  const { id = "msg_1", timestamp = String(SENT_AT), body = BODY } = event;
  const signature = event.signature ?? sign(SECRET, id, timestamp, body);
  const headers = new Headers({
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  });
  const keys = secrets.map((secret) => webhookKey(secret) ?? new Uint8Array());
  return verifyWebhook({ body, headers }, { keys, now: new Date(atSeconds * 1000) });
}

describe("a webhook", () => {
  test("is accepted with the signature from the standard's example", () => {
    const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    expect(verify({ id, signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" })).toEqual({ id });
  });

  test("is accepted if any of its signatures was made with any of the secrets", () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.boolean(),
        fc.array(fc.base64String(), { maxLength: 4 }),
        (body, old, others) => {
          const validSignature = sign(old ? OTHER : SECRET, "msg_1", String(SENT_AT), body);
          const signature = [...others.map((text) => `v1,${text}`), validSignature].join(" ");
          expect(verify({ body, signature }, { secrets: [SECRET, OTHER] })).toEqual({ id: "msg_1" });
        },
      ),
    );
  });

  test.each([-300, 0, 300])(
    "is accepted if its timestamp is within 300 seconds of the current time: %i",
    (age) => {
      expect(verify({}, { atSeconds: SENT_AT + age })).toEqual({ id: "msg_1" });
    },
  );
});

describe("a webhook", () => {
  test.each([-301, 301, 86_400])(
    "is refused as stale if its timestamp is more than 300 seconds from the current time: %i",
    (age) => {
      expect(verify({}, { atSeconds: SENT_AT + age })).toEqual({ refused: "stale" });
    },
  );

  const validSignature = sign(SECRET, "msg_1", String(SENT_AT), BODY);

  test("is refused if it has more signatures than a rotation produces", () => {
    expect(verify({ signature: Array(9).fill(validSignature).join(" ") })).toEqual({ refused: "unsigned" });
  });

  test("is refused if there is no secret", () => {
    expect(verify({}, { secrets: [] })).toEqual({ refused: "invalid_signature" });
  });

  test("is refused if the dots between its signed parts are moved", () => {
    const body = utf8ToBytes(`{"a":"1.${SENT_AT}.{}"}`);
    const signature = sign(SECRET, "msg_1", String(SENT_AT), body);
    expect(verify({ body, signature })).toEqual({ id: "msg_1" });
    const id = `msg_1.${SENT_AT}.{"a":"1`;
    expect(verify({ id, body: utf8ToBytes('{}"}'), signature })).toEqual({ refused: "unsigned" });
  });

  test("is refused if it was not signed with one of the secrets, regardless of its headers", () => {
    // A header can contain Latin-1 without control characters.
    const header = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((n) => String.fromCharCode(n)),
    });
    const timestamp = fc.oneof(header, fc.constant(String(SENT_AT)), fc.integer().map(String));
    const id = fc.oneof(header, fc.constant("msg_1"));
    fc.assert(
      fc.property(id, timestamp, header, fc.uint8Array(), (name, time, signature, body) => {
        expect(verify({ id: name, timestamp: time, signature, body })).toHaveProperty("refused");
      }),
    );
  });
});

describe("a secret", () => {
  test.each([
    "",
    "whsec_",
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whsec_c2hvcnQ=",
    "whsec_!!!!",
    `${SECRET} `,
    "whsec_MfK",
  ])("is rejected if malformed: %j", (text) => {
    expect(webhookKey(text)).toBeNull();
  });

  test("contains the key in base64", () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(key, (bytes) => {
        expect(webhookKey(`whsec_${base64.encode(bytes)}`)).toEqual(Buffer.from(bytes));
      }),
    );
  });
});
