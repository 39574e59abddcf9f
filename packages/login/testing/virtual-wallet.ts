import { secp256k1 } from "@noble/curves/secp256k1.js";
import { parseChallenge } from "../protocol/challenge.ts";
import { type Intent, parseIntent } from "../protocol/qr-payload.ts";

/** For tests. Has a real key, makes real signatures, and posts to the site's real webhook. */
export class VirtualWallet {
  readonly #secretKey: Uint8Array;

  /** @param secretKey 32 bytes. The default is a new random key */
  constructor(secretKey = secp256k1.utils.randomSecretKey()) {
    this.#secretKey = secretKey;
  }

  /** Uncompressed, as lower-case hex. */
  get publicKey(): string {
    return Buffer.from(secp256k1.getPublicKey(this.#secretKey, false)).toString("hex");
  }

  /**
   * Answers a code as a wallet does whose user has approved it.
   * @param payload the text of the QR code (docs/protocol.md#12-qr-payload)
   * @returns the webhook's status, which is 200 if the response was accepted
   */
  async respond(payload: string): Promise<number> {
    const { webhook, challenge, intent } = readPayload(payload);
    const response = await fetch(webhook, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...this.sign(challenge), intent }),
    });
    return response.status;
  }

  /** The caller adds the intent (docs/protocol.md#15-wallet-response). */
  sign(challenge: string) {
    const signature = secp256k1.sign(new TextEncoder().encode(challenge), this.#secretKey, { format: "der" });
    return {
      public_key: this.publicKey,
      signature: Buffer.from(signature).toString("hex"),
      challenge,
      timestamp: Math.floor(Date.now() / 1000),
      device_info: { platform: "virtual", version: "1" },
    };
  }
}

function readPayload(payload: string): { webhook: string; challenge: string; intent: Intent | null } {
  const { protocol, origin, pathname, searchParams } = new URL(payload);
  const webhook = protocol === "svc:" ? searchParams.get("webhook") : origin + pathname;
  const challenge = searchParams.get(protocol === "svc:" ? "challenge" : "c") ?? "";
  if (!webhook || parseChallenge(challenge) === null) throw new Error(`This is no login code: ${payload}`);
  return { webhook, challenge, intent: parseIntent(searchParams.get("intent")) };
}
