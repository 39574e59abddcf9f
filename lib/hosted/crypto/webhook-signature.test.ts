import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signEvent } from "./webhook-signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("an event's signature", () => {
  it("is that of the Standard Webhooks' own example", () => {
    // From the standard's reference libraries' tests.
    const headers = signEvent({
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
      secrets: [SECRET],
    });
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    expect(headers["webhook-id"]).toBe("msg_p5jXN8AQM9LWM0D4loKWxJek");
    expect(headers["webhook-timestamp"]).toBe("1614265330");
  });

  it("agrees with another implementation for any body, over its UTF-8 bytes", () => {
    const secret = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => `whsec_${base64.encode(bytes)}`);
    const body = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(secret, body, fc.integer({ min: 0, max: 4e9 }), (text, payload, timestamp) => {
        const headers = signEvent({ id: "msg_1", timestamp, body: payload, secrets: [text] });
        expect(headers["x-svc-signature"]).toBe(
          bytesToHex(hmac(sha256, utf8ToBytes(text), utf8ToBytes(payload))),
        );
        const content = utf8ToBytes(`msg_1.${timestamp}.${payload}`);
        const key = base64.decode(text.slice("whsec_".length));
        expect(headers["webhook-signature"]).toBe(`v1,${base64.encode(hmac(sha256, key, content))}`);
      }),
      { numRuns: 50 },
    );
  });
});
