import { describe, expect, onTestFinished, test } from "vitest";
import { type Behaviour, startReceiver } from "../../tools/kit/receiver.ts";
import { createChallengeText, FAST_URL, formatSvcPayload, NOW } from "./payload.fixture.ts";
import type { Purpose } from "./purpose.ts";
import { type Payload, readPayload } from "./read-payload.ts";
import { explainServiceResponse } from "./read-service-reply.ts";
import { sendResponse } from "./send-response.ts";
import type { RequestEnvironment } from "./send-site-request.ts";

const signedResponse = { contentType: "application/json", body: '{"signature":"3006"}' };

async function listen(behaviour: Behaviour) {
  const server = await startReceiver("127.0.0.1", 0, behaviour);
  onTestFinished(() => server.close());
  return { url: `${server.url}/webhook/login`, received: server.received };
}

type ScriptedResponse = { status: number; body?: unknown; headers?: Record<string, string> };

/** Gives the responses in turn, repeating the last one. */
function service(...answers: ScriptedResponse[]) {
  let answersSent = 0;
  return listen((response) => {
    const {
      status,
      body = {},
      headers,
    } = answers[Math.min(answersSent++, answers.length - 1)] ?? { status: 200 };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

/** The clock moves only when the code waits, so that thirty seconds pass immediately. */
function environment(more: RequestEnvironment = {}) {
  const waited: number[] = [];
  let now = NOW;
  const wait = async (seconds: number) => {
    waited.push(seconds);
    now += seconds;
  };
  return { now: () => now, wait, waited, ...more };
}

const send = (url: string, purpose: Purpose = "login", around: RequestEnvironment = environment()) =>
  sendResponse(payloadFor(url, purpose), signedResponse, around);

function payloadFor(webhook: string, purpose: Purpose): Payload {
  const plain = purpose === "login" || purpose === "register";
  const text = formatSvcPayload({ webhook, challenge: createChallengeText(plain ? purpose : "login") });
  return readPayload(plain ? text : `${text}&intent=${purpose}`);
}

const error = (code: string, message: string) => ({ error: { code, message, details: {} } });

describe("a wallet response", () => {
  test("contains exactly what was signed, and is sent only once and without cookies", async () => {
    const { url, received } = await service({ status: 200, body: { status: "authenticated" } });
    expect(await send(url)).toEqual({
      ok: true,
      status: 200,
      code: "authenticated",
      message: "",
      advice: "Approved. Go back to the page that showed the code: it is being signed in.",
    });
    const headers = { "content-type": "application/json" };
    expect(received).toMatchObject([{ method: "POST", headers, body: Buffer.from(signedResponse.body) }]);
    expect(received[0]?.headers.cookie).toBeUndefined();
  });

  test("does not follow a redirect", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, received } = await service(
        { status, headers: { location: "/elsewhere" } },
        { status: 200 },
      );
      expect(await send(url)).toMatchObject({ ok: false, status, code: "redirected" });
      expect(received).toHaveLength(1);
    }
  });
});

describe("the advice after a wallet response", () => {
  test.each<[number, string, Purpose, RegExp]>([
    [200, "", "register", /Your account is ready/],
    [200, "", "approve", /it continues with the change/],
    [200, "", "add", /it asks you to confirm/],
    [406, "invalid_signature", "approve", /only a key that belongs to the account/],
    [406, "invalid_signature", "recover", /the key already belongs to an account/],
    [400, "invalid_request", "login", /could not read this answer/],
    [404, "user_not_found", "login", /does not know this wallet yet: open its register page/],
    [404, "", "login", /does not know this wallet yet: open its register page/],
    [404, "session_not_found", "login", /no longer knows this login/],
    [404, "not_found", "register", /no longer knows this login/],
    [406, "invalid_signature", "login", /did not accept the signature/],
    [406, "intent_mismatch", "login", /changed on its way.*Open the site yourself/],
    [406, "intent_mismatch", "approve", /changed on its way.*Open the site yourself/],
    [401, "", "login", /did not accept the signature/],
    [408, "challenge_expired", "login", /expired or was already used/],
    [409, "session_already_authenticated", "login", /This login has ended/],
    [410, "session_expired", "login", /This login has ended/],
    [413, "payload_too_large", "login", /does not accept this wallet's kind of response/],
    [415, "unsupported_media_type", "login", /does not accept this wallet's kind of response/],
    [429, "rate_limited", "login", /Wait a minute/],
    [418, "", "login", /does not belong to a login/],
    [204, "", "login", /does not belong to a login/],
  ])("is given without a retry: %i %s for a %s", async (status, code, purpose, advice) => {
    const message = code && "The service's words.";
    const { url, received } = await service({ status, body: code ? error(code, message) : {} });
    expect(await send(url, purpose)).toMatchObject({
      ok: status === 200,
      status,
      code: status === 200 ? "authenticated" : code || `http_${status}`,
      message,
      advice: expect.stringMatching(advice),
    });
    expect(received).toHaveLength(1);
  });

  test.each([
    ["a 400 for an unknown, used or expired challenge", { status: 400 }, /expired or was already used/],
    ["a 429, with the waiting time of the service", { status: 429, retryAfter: 17 }, /Wait 17 seconds/],
  ])("is given for every response to a fast login: %s", (_, answer, advice) => {
    const words = { code: "", retryAfter: null, unsure: false, ...answer };
    expect(explainServiceResponse(readPayload(FAST_URL), words)).toMatch(advice);
  });

  test.each<[Purpose, boolean, string]>([
    ["login", false, "Approved. Firefox on Linux is being signed in."],
    ["register", true, "Approved. Firefox on Linux is being signed in. It is new to your account."],
    ["approve", false, "Approved. Firefox on Linux continues with the change."],
    ["add", false, "Approved. Firefox on Linux asks you to confirm."],
  ])("describes the browser after a 200 to a %s (new: %s): %s", async (purpose, isNew, advice) => {
    const body = { status: "authenticated", browser: { name: "Firefox on Linux" }, new_browser: isNew };
    const { url } = await service({ status: 200, body });
    const signedIn = { name: "Firefox on Linux", isNew, undo: null };
    expect(await send(url, purpose)).toMatchObject({ ok: true, advice, signedIn });
  });

  test("shortens the site's message to 300 characters, without control characters", async () => {
    const hostile = `line\nbreak \u202e${"x".repeat(1000)}\u0000`;
    const { url } = await service({ status: 406, body: error("<b>", hostile) });
    const { message, code } = await send(url);
    expect(message).toMatch(/^line break x+…$/);
    expect(message).toHaveLength(300);
    expect(code).toBe("http_406");
  });

  test.each([
    ["text/html", "<h1>Hi</h1>", ""],
    ["text/plain", "no challenge found", "no challenge found"],
    ["application/json", "{not json", ""],
    ["application/json", "null", ""],
    ["application/json", '{"error":"plain words"}', "plain words"],
    ["application/json", '{"error":{"message":7}}', ""],
    ["application/json", `{"error":{"message":"${"x".repeat(100_000)}"}}`, ""],
  ])("reads any response body safely: %s %.30j", async (type, body, message) => {
    const { url } = await service({ status: 400, body, headers: { "content-type": type } });
    expect(await send(url)).toMatchObject({ status: 400, message });
  });
});

describe("a retry", () => {
  const failure = { status: 500, body: error("internal_error", "Oh.") };
  test.each<[string, ScriptedResponse[], number[], object]>([
    [
      "with growing pauses until one is accepted",
      [failure, { status: 503 }, { status: 200 }],
      [0.5, 1],
      { ok: true },
    ],
    [
      "not before Retry-After",
      [{ status: 503, headers: { "retry-after": "7" } }, { status: 200 }],
      [7],
      { ok: true },
    ],
    [
      "until the challenge's 30 seconds are over",
      [failure],
      [0.5, 1, 2, 4, 8],
      { ok: false, status: 500, code: "internal_error", message: "Oh." },
    ],
  ])("repeats the same bytes after server errors: %s", async (_, answers, waited, result) => {
    const { url, received } = await service(...answers);
    const around = environment();
    expect(await send(url, "login", around)).toMatchObject(result);
    expect(around.waited).toEqual(waited);
    expect(received.map(({ body }) => String(body))).toEqual(
      Array(waited.length + 1).fill(signedResponse.body),
    );
  });

  test("advises the user to look at the browser first if a 408 follows a lost response", async () => {
    let tries = 0;
    const { url } = await listen((response, request) => {
      tries += 1;
      if (tries === 1) return request.socket.destroy();
      response.writeHead(408).end();
    });
    const reasons: string[] = [];
    const result = await send(url, "login", environment({ onRetry: ({ reason }) => reasons.push(reason) }));
    expect(reasons).toEqual(["unreachable"]);
    expect(result).toMatchObject({ status: 408, advice: expect.stringMatching(/^Look at the page/) });
  });

  test.each<[string, Behaviour, RequestEnvironment, object]>([
    [
      "gives up on a service that never answers, and reports that",
      () => {},
      { now: () => NOW + 29.9, attemptTimeoutSeconds: 0.05 },
      { ok: false, status: 0, code: "unreachable" },
    ],
    [
      "treats a 200 whose body stalls as a 200",
      (response) => response.writeHead(200, { "content-type": "application/json" }).write("{"),
      { attemptTimeoutSeconds: 0.2 },
      { ok: true, status: 200 },
    ],
    [
      "reports a device that is offline immediately, without an attempt",
      () => expect.unreachable(),
      { online: () => false },
      { ok: false, code: "offline" },
    ],
  ])("%s", async (_, behaviour, around, result) => {
    const { url } = await listen(behaviour);
    expect(await send(url, "login", environment(around))).toMatchObject(result);
  });
});
