import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { requestQr } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** Covers cases that the conformance kit does not check (sections 1.1 to 1.5, 2.2, 3.2 and 3.6). */

const wallet = new TestWallet();

function send(body: RequestInit["body"], type = "application/json"): Promise<Response> {
  return new Client(url).fetch("/webhook/login", {
    method: "POST",
    headers: { "Content-Type": type },
    body,
    // `fetch` requires this option for a stream, but its types lack it.
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  });
}

const json = (changes: Record<string, unknown>) =>
  JSON.stringify(wallet.response("svc:login:x:1:y", changes));

test.each<[string, string | Buffer<ArrayBuffer>]>([
  ["only a byte order mark", "\ufeff"],
  ["UTF-16", Buffer.from(json({}), "utf16le")],
  ["an overlong encoding", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ["a surrogate encoded as UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["60,000 brackets that never close", "[".repeat(60_000)],
  ["NUL in an unknown field", json({ extra: "\0" })],
  ["NUL in a name", json({ "a\0": 1 })],
  ["an intent that is neither text nor null", json({ intent: 1 })],
  ["a list of intents", json({ intent: ["add"] })],
])("returns 400 for a body that is not a wallet response: %s", async (_what, body) => {
  await expectApiError(await send(body), 400, "invalid_request");
});

test("names the invalid fields in the 400 response", async () => {
  const { error } = await (await send('{"timestamp":"now"}')).json();
  const wrong = ["challenge", "public_key", "signature", "timestamp"];
  expect(Object.keys(error.details.fields).toSorted()).toEqual(wrong);
});

describe("a large body", () => {
  test("is refused with 413 if it never ends", async () => {
    const chunk = new TextEncoder().encode("[".repeat(16_384));
    const endless = new ReadableStream({
      async pull(controller) {
        // Returns to the event loop; otherwise the client would never notice that its connection was closed.
        await setImmediate();
        controller.enqueue(chunk);
      },
    });
    await expectApiError(await send(endless), 413, "payload_too_large");
  });

  test("is accepted if it is exactly 64 KB", async () => {
    const { challenge } = await requestQr(new Client(url));
    const body = JSON.stringify(wallet.response(challenge));
    await expectApiError(await send(body.padEnd(64 * 1024)), 404, "user_not_found");
  });
});

test("stores the time and the device that the wallet sent", async () => {
  const { sid, challenge } = await requestQr(new Client(url), "register");
  const walletResponse = new TestWallet().response(challenge, { timestamp: 1_000_000_000 });
  await new Client(url).post("/webhook/register", walletResponse);
  const row = "SELECT signed_at, device_info FROM login_session WHERE sid = $1";
  expect(await query(row, [sid])).toEqual([
    { signed_at: "1000000000", device_info: walletResponse.device_info },
  ]);
});
