import { randomUUID } from "node:crypto";
import { block, fail, type Rules, runsLast, startsEarly } from "../check.ts";
import {
  changeLastCharacter,
  describeUnexpectedResponse,
  expectCloseTo,
  expectEqual,
  expectIsoTime,
  expectMatch,
  expectMembers,
  expectNoOtherMembers,
  expectStatus,
} from "../expect-status.ts";
import { checkEveryCode, expectDistinct, LIFETIME_SECONDS, splitChallenge } from "../flow/codes.ts";
import { Wallet } from "../flow/wallet.ts";
import { bodyOf } from "../http-client.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, type Body, expectCode, expectInvalid } from "./api.ts";

/**
 * Section 5.2: a session from its creation to its end, and `Idempotency-Key`, with which a client can safely repeat a
 * request.
 */

const CREATED = ["id", "challenge", "qr_data", "expires_at", "status", "created_at"];

/** @throws {CheckFailure} unless the API refuses each of these bodies with 400 `invalid_request` */
const refuses =
  (bodiesOf: (domain: string) => readonly Body[]) =>
  async (api: Api): Promise<void> => {
    for (const body of bodiesOf((await api.domain()).name))
      expectInvalid(await api.create(body), `a session with ${JSON.stringify(body).slice(0, 120)}`);
  };

function expectFields(body: Body, names: readonly string[], what: string): void {
  const [given, expected] = [Object.keys(body), names].map((list) => list.toSorted().join(", "));
  if (given !== expected) fail(`${what} has the fields ${given} instead of ${expected}.`);
}

const unknownId = ({ id }: { id: string }) => "A".repeat(id.length);

const AT_ONCE = 6;

const createOnce = (api: Api, key: string, more: Body = {}) =>
  api.create(more, { headers: { "Idempotency-Key": key } });

export const SESSION_CHECKS = {
  async "5.2-created"(api) {
    const answer = await api.create();
    expectStatus(answer, 201, "a new session");
    const body = bodyOf(answer);
    const missing = CREATED.filter((name) => typeof body[name] !== "string");
    if (missing.length > 0) fail(`These are not strings: ${missing.join(", ")}.`);
    expectNoOtherMembers(body, CREATED, "The response");
    expectEqual(body.status, "pending", "The status");
    for (const name of ["created_at", "expires_at"]) expectIsoTime(body[name], `\`${name}\``);
  },
  "5.2-challenge": checkEveryCode<Api>(({ challenge }) => {
    const form = /^svc:(login|register):c[0-9a-f]{12}\.example:[1-9]\d{8,10}:[A-Za-z0-9]{32}$/;
    expectMatch(challenge, form, "The challenge", "svc:{mode}:{the session's domain}:{Unix seconds}:{nonce}");
  }),
  async "5.2-mode"(api) {
    for (const more of [{}, { mode: "login" }, { mode: "register" }]) {
      const session = await api.session(more);
      expectEqual(
        splitChallenge(session).action,
        more.mode ?? "login",
        `The action for ${JSON.stringify(more)}`,
      );
    }
  },
  "5.2-expires-at": checkEveryCode<Api>((session) => {
    const expected = Number(splitChallenge(session).timestamp) + LIFETIME_SECONDS;
    // The timestamp has whole seconds, but `expires_at` can contain fractions of a second.
    const seconds = Date.parse(String(session.expiresAt)) / 1000;
    expectCloseTo(seconds, expected, 1, `\`expires_at\` of ${session.challenge}, in Unix seconds,`);
  }),
  "5.2-qr-data": checkEveryCode<Api>((session, api) => {
    const { qrData, challenge, id } = session;
    expectMatch(qrData, /^svc:\/\/auth\?[!-~]{1,4085}$/, "`qr_data`", "svc://auth?… in visible ASCII");
    const query = new URL(qrData).searchParams;
    const webhook = api.target.origin.origin + api.webhookOf(session);
    const expected = { webhook, session: id, challenge, ts: splitChallenge(session).timestamp };
    for (const [name, value] of Object.entries(expected))
      expectEqual(query.getAll(name).join(), value, `\`${name}\` in \`qr_data\``);
  }),
  "5.2-random": runsLast(async (api) => {
    const { codes } = api.run;
    while (new Set(codes.map(({ id }) => id)).size < 6) await api.session();
    const ids = [...new Set(codes.map(({ id }) => id))];
    for (const texts of [ids, codes.map((code) => splitChallenge(code).nonce)]) {
      const short = texts.find((text) => text.length < 22);
      if (short !== undefined) fail(`${short} has ${short.length} characters instead of 22 or more.`);
      expectDistinct(texts, "Identifiers or nonces");
    }
  }),
  async "5.2-domain-unknown"(api) {
    const { name } = await api.domain();
    for (const domain of [api.newName(), `sub.${name}`, name.slice(1), "example"])
      expectCode(await api.create({ domain }), 422, "domain_not_registered", `a session for ${domain}`);
  },
  "5.2-types": refuses((domain) => [
    ...[undefined, 1, "", `https://${domain}`, `${domain}:443`].map((value) => ({ domain: value })),
    ...["admin", "LOGIN", 1].map((mode) => ({ mode })),
    { webhook_url: 1 },
    ...["x", { custom_data: { a: 1 } }].map((metadata) => ({ metadata })),
  ]),
  "5.2-webhook-url": refuses((domain) =>
    [
      "https://elsewhere.example/events",
      `https://${domain}.elsewhere.example/events`,
      `https://evil-${domain}/events`,
      `https://elsewhere.example/?${domain}`,
      `https://${domain}@elsewhere.example/`,
      "not a url",
    ].map((webhook_url) => ({ webhook_url })),
  ),
  "5.2-return-url": refuses((domain) =>
    [
      ...["https://elsewhere.example/", `http://${domain}/`, `https://${domain}.elsewhere.example/`],
      ...[`https://evil-${domain}/`, `https://${domain}@elsewhere.example/`],
      ...["javascript:alert(1)", "//elsewhere.example", "/relative"],
    ].map((return_url) => ({ metadata: { return_url } })),
  ),
  "5.2-custom-data": refuses(() =>
    ["a".repeat(4_097), "ü".repeat(2_049)].map((custom_data) => ({ metadata: { custom_data } })),
  ),
  async "5.2-accepts"(api) {
    const { name, webhookUrl } = await api.domain();
    for (const more of [
      { webhook_url: `https://${name}/other-events` },
      { webhook_url: webhookUrl },
      { metadata: { return_url: `https://${name}/welcome?x=1`, custom_data: "a".repeat(4_096) } },
      { metadata: {}, colour: "blue" },
    ])
      expectStatus(await api.create(more), 201, `a session with ${JSON.stringify(more).slice(0, 120)}`);
  },
  async "5.2-idempotency"(api) {
    const key = randomUUID();
    const first = await createOnce(api, key);
    expectStatus(first, 201, "a request with an Idempotency-Key");
    const second = await createOnce(api, key);
    expectStatus(second, 201, "the same request again");
    if (second.text !== first.text) fail("A repeated request gets a different answer.");
    const other = await createOnce(api, randomUUID());
    if (bodyOf(other).id === bodyOf(first).id) fail("Another Idempotency-Key gets the same session.");
  },
  async "5.2-idempotency-conflict"(api) {
    const key = randomUUID();
    await createOnce(api, key);
    const answer = await createOnce(api, key, { mode: "register" });
    expectCode(answer, 409, "idempotency_conflict", "another body with the same Idempotency-Key");
  },
  async "5.2-idempotency-at-once"(api) {
    const key = randomUUID();
    await api.domain();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => createOnce(api, key)));
    const refused = answers.find(({ status }) => status !== 201);
    if (refused) fail(`One of ${AT_ONCE} simultaneous requests gets ${refused.status}.`);
    const createdCount = new Set(answers.map((answer) => bodyOf(answer).id)).size;
    if (createdCount > 1) fail(`${AT_ONCE} simultaneous requests created ${createdCount} sessions.`);
  },
  async "5.2-idempotency-key"(api) {
    for (const key of ["", "x".repeat(256), "\u00e9"])
      expectInvalid(await createOnce(api, key), `the Idempotency-Key ${JSON.stringify(key.slice(0, 9))}`);
    expectStatus(await createOnce(api, randomUUID().padEnd(255, "x")), 201, "a key of 255 characters");
  },
  async "5.2-pending"(api) {
    const { id } = await api.session({ metadata: { custom_data: "kept" } });
    const answer = await api.read(id);
    expectStatus(answer, 200, "a pending session");
    expectFields(bodyOf(answer), ["id", "status", "expires_at"], "A pending session");
    expectMembers(bodyOf(answer), { id, status: "pending" });
  },
  async "5.2-authenticated"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    const answer = await api.respond(session, wallet, { public_key: wallet.compressedKey.toUpperCase() });
    if (answer.status !== 200) block("A compressed key is refused", describeUnexpectedResponse(answer));
    const read = await api.read(session.id);
    expectStatus(read, 200, "the status of an answered session");
    const body = bodyOf(read);
    expectFields(body, ["id", "status", "authenticated_at", "user"], "An answered session");
    expectEqual(body.status, "authenticated", "The status");
    expectIsoTime(body.authenticated_at, "`authenticated_at`");
    const { public_key: key, device_info: device } = body.user as Body;
    expectEqual(key, wallet.publicKey, "The user's key");
    expectNoOtherMembers(device, ["platform", "version"], "The user's device");
  },
  async "5.2-unknown-session"(api) {
    const session = await api.session();
    for (const id of [
      unknownId(session),
      changeLastCharacter(session.id),
      "' OR 1=1 --",
      "a\u0000b",
      "ü".repeat(30),
    ]) {
      const answer = await api.read(id);
      if (answer.status === 400) continue;
      expectCode(answer, 404, "session_not_found", `a request for the session ${JSON.stringify(id)}`);
    }
    const refreshed = await api.refresh(unknownId(session));
    expectCode(refreshed, 404, "session_not_found", "a refresh of an unknown session");
  },
  async "5.2-refresh"(api) {
    const first = await api.session();
    const answer = await api.refresh(first.id);
    expectStatus(answer, 200, "a refresh");
    expectFields(bodyOf(answer), ["id", "challenge", "qr_data", "expires_at"], "A refreshed session");
    const second = api.recordSession(answer, 200);
    if (second.id !== first.id) fail("The refreshed session has another identifier.");
    if (second.challenge === first.challenge) fail("The new challenge is the same as the previous one.");
    expectStatus(await api.respond(first), 200, "a response to the previous challenge");
  },
  async "5.2-refresh-mode"(api) {
    const first = await api.session({ mode: "register" });
    const [before, after] = [first, await api.renew(first)].map(({ challenge }) =>
      challenge.split(":").slice(0, 3).join(":"),
    );
    if (before !== after) fail(`After ${before} the challenge begins ${after}.`);
  },
  async "5.2-refresh-authenticated"(api) {
    const { id } = await api.createAuthenticatedSession();
    const answer = await api.refresh(id);
    expectCode(answer, 409, "session_already_authenticated", "a refresh of an answered session");
    await api.expectSessionStatus(id, "authenticated", "After the refresh the status");
  },
  "5.2-expired": startsEarly(async (api) => {
    const session = await api.session();
    await api.wait(LIFETIME_SECONDS + 1);
    expectCode(await api.read(session.id), 410, "session_expired", "a session after 31 seconds");
    expectStatus(await api.respond(session), 408, "a response after 31 seconds");
    const revived = await api.renew(session);
    await api.expectSessionStatus(session.id, "pending", "The refreshed session");
    expectStatus(await api.respond(session), 408, "a response to the expired challenge after a refresh");
    expectStatus(await api.respond(revived), 200, "a response to the new challenge");
  }),
  "5.2-lives-30-seconds": startsEarly(async (api) => {
    const session = await api.session();
    await api.wait(LIFETIME_SECONDS - 4);
    expectStatus(await api.respond(session), 200, "a response after 26 seconds");
  }),
  "5.2-answered-stays": startsEarly(async (api) => {
    const { id } = await api.createAuthenticatedSession();
    await api.wait(LIFETIME_SECONDS + 1);
    const answer = await api.read(id);
    expectStatus(answer, 200, "the status of an answered session after 31 seconds");
    expectEqual(bodyOf(answer).status, "authenticated", "The status of an answered session");
  }),
} satisfies Rules<Api, HostedId>;
