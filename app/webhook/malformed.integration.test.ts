import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { requestQr } from "#scripts/kit/login.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** Bodies, beside those of the conformance kit (2.2-no-json, -text, -nesting, -prototype, -body-size). */

const [url] = inject("appUrls");
const wallet = new TestWallet();

function send(body: RequestInit["body"], headers: Record<string, string> = {}): Promise<Response> {
  return new Client(url).fetch("/webhook/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
    // Needed by fetch for a stream, and by its types for nothing.
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  });
}

const json = (changes: Record<string, unknown>) =>
  JSON.stringify(wallet.response("svc:login:x:1:y", changes));

describe("400: a body that no wallet response can be read from", () => {
  test.each<[string, string | Buffer<ArrayBuffer>]>([
    ["text", "hello"],
    ["a number", "1e999"],
    ["an array", "[]"],
    ["a byte order mark alone", "\ufeff"],
    ["UTF-16", Buffer.from(json({}), "utf16le")],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["an overlong encoding", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ["a surrogate encoded as UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["60,000 brackets", "[".repeat(30_000) + "]".repeat(30_000)],
    ["60,000 brackets that never close", "[".repeat(60_000)],
    [
      "objects 17 deep in a field that nobody knows",
      json({ extra: JSON.parse(`${'{"a":'.repeat(17)}1${"}".repeat(17)}`) }),
    ],
    ["NUL in the key", json({ public_key: "04\0" })],
    ["NUL in the challenge", json({ challenge: "svc\0" })],
    ["NUL in the device", json({ device_info: { platform: "\0" } })],
    ["NUL in a field that nobody knows", json({ extra: "\0" })],
    ["NUL in a name", json({ "a\0": 1 })],
    ["a lone surrogate in the challenge", '{"challenge":"\\ud800"}'],
    ["a lone surrogate in the device", json({}).replace("ios", "\\udc00")],
  ])("%s", async (_name, body) => {
    await expectApiError(await send(body), 400, "invalid_request");
  });

  test("prototype keys beside a wallet response change nothing", async () => {
    const { challenge } = await requestQr(new Client(url));
    const body = JSON.stringify(wallet.response(challenge));
    const polluted = body.replace("{", '{"__proto__":{"admin":true},"constructor":1,"toString":2,');
    await expectApiError(await send(polluted), 404, "user_not_found");
  });
});

describe("413: a body over 64 KB", () => {
  const large = "x".repeat(64 * 1024 + 1);

  test("that says so", async () => {
    await expectApiError(await send(large), 413, "payload_too_large");
  });

  test("that does not say so", async () => {
    const response = await send(new Blob([large]).stream());
    await expectApiError(response, 413, "payload_too_large");
  });

  test("that never ends", async () => {
    const chunk = new TextEncoder().encode("[".repeat(16_384));
    const endless = new ReadableStream({
      async pull(controller) {
        // A client that reads without a turn of the event loop never learns that its connection was closed.
        await setImmediate();
        controller.enqueue(chunk);
      },
    });
    await expectApiError(await send(endless), 413, "payload_too_large");
  });

  test("and not of exactly 64 KB", async () => {
    const { challenge } = await requestQr(new Client(url));
    const body = JSON.stringify(wallet.response(challenge));
    await expectApiError(await send(body.padEnd(64 * 1024)), 404, "user_not_found");
  });
});

describe("415: a body in another form", () => {
  test.each([
    ["application/jsonp", {}],
    ["application/json; charset=iso-8859-1", {}],
    ["", {}],
    ["application/json", { "Content-Encoding": "br" }],
  ])("%s %j", async (type, headers) => {
    const response = await send(gzipSync("{}"), { "Content-Type": type, ...headers });
    await expectApiError(response, 415, "unsupported_media_type");
  });

  test.each(["application/json", "Application/JSON", 'application/json; charset="UTF-8"'])(
    "and not %s",
    async (type) => {
      await expectApiError(await send("{}", { "Content-Type": type }), 400, "invalid_request");
    },
  );
});

test("a query beside a wallet response is read for nothing but its form", async () => {
  const client = new Client(url);
  await expectApiError(await client.post("/webhook/login?a=1&a=2", {}), 400, "invalid_request");
  await expectApiError(await client.post("/webhook/login?__proto__=1", {}), 400, "invalid_request");
});

test("the server still stands", async () => {
  expect((await new Client(url).fetch("/readyz")).status).toBe(200);
});
