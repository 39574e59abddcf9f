import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { receiveEvent } from "./receive-event.ts";

const SECRET = "whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==";
const body = Buffer.from('{"event":"login","timestamp":"t","session_id":"s","data":{"public_key":"04ü"}}');
const sign = (bytes: Uint8Array, secret = SECRET) => createHmac("sha256", secret).update(bytes).digest("hex");

async function receive(bytes: Uint8Array, headers: Record<string, string>) {
  const events: unknown[] = [];
  const response = await receiveEvent(bytes, new Headers(headers), SECRET, async (event, id) => {
    events.push({ event, id });
  });
  return { response, events };
}

describe("the demo's receiver", () => {
  it("takes an event whose bytes are signed", async () => {
    const { response, events } = await receive(body, {
      "x-svc-signature": sign(body),
      "webhook-id": "msg_1",
    });
    expect(response.status).toBe(204);
    expect(events).toEqual([{ id: "msg_1", event: JSON.parse(body.toString()) }]);
  });

  it.each([
    ["no signature", {}],
    ["an empty one", { "x-svc-signature": "" }],
    ["another secret's", { "x-svc-signature": sign(body, "whsec_x") }],
    ["one of other bytes", { "x-svc-signature": sign(Buffer.from(`${body} `)) }],
    ["a good one with more behind it", { "x-svc-signature": `${sign(body)}00` }],
    ["a good one with nonsense behind it", { "x-svc-signature": `${sign(body)}zz` }],
    ["a good one cut short", { "x-svc-signature": sign(body).slice(0, 62) }],
    ["upper case", { "x-svc-signature": sign(body).toUpperCase() }],
    ["no hex", { "x-svc-signature": "z".repeat(64) }],
  ])("answers 401 with {error} to %s", async (_what, headers: Record<string, string>) => {
    const { response, events } = await receive(body, headers);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.any(String) });
    expect(events).toEqual([]);
  });

  it("reads nothing of a body that is not proved, JSON or not", async () => {
    const { response } = await receive(Buffer.from("{"), { "x-svc-signature": sign(body) });
    expect(response.status).toBe(401);
  });
});
