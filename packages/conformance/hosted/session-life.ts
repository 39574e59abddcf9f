import { randomUUID } from "node:crypto";
import { block, fail, type Rules, waits } from "../check.ts";
import {
  expectEqual,
  expectMembers,
  expectNoMore,
  expectStatus,
  refusalOf,
  withOtherEnd,
} from "../expect-status.ts";
import { bodyOf } from "../http-client.ts";
import { Wallet } from "../server/wallet.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, type Body, expectCode, expectInvalid } from "./api.ts";
import { ISO, LIFETIME_SECONDS } from "./sessions.ts";

/** Section 5.2: a session from its challenge to its end. */

function expectFields(body: Body, names: readonly string[], what: string): void {
  const [given, expected] = [Object.keys(body), names].map((each) => each.toSorted().join(", "));
  if (given !== expected) fail(`${what} has the fields ${given} instead of ${expected}.`);
}

const unknownId = ({ id }: { id: string }) => "A".repeat(id.length);

export const SESSION_LIFE_CHECKS = {
  async "5.2-pending"(api) {
    const { id } = await api.session({ metadata: { custom_data: "kept" } });
    const answer = await api.read(id);
    expectStatus(answer, 200, "a session");
    expectFields(bodyOf(answer), ["id", "status", "expires_at"], "A pending session");
    expectMembers(bodyOf(answer), { id, status: "pending" });
  },
  async "5.2-authenticated"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    const answer = await api.respond(session, wallet, { public_key: wallet.compressedKey.toUpperCase() });
    if (answer.status !== 200) block(`A compressed key is refused: ${refusalOf(answer)}`);
    const read = await api.read(session.id);
    expectStatus(read, 200, "an answered session");
    const body = bodyOf(read);
    expectFields(body, ["id", "status", "authenticated_at", "user"], "An answered session");
    expectEqual(body.status, "authenticated", "The status");
    if (!ISO.test(String(body.authenticated_at)))
      fail(`It was authenticated at ${body.authenticated_at} instead of a time of ISO 8601 in UTC.`);
    const { public_key: key, device_info: device } = body.user as Body;
    expectEqual(key, wallet.publicKey, "The user's key");
    expectNoMore(device, ["platform", "version"], "The user's device");
  },
  async "5.2-unknown-session"(api) {
    const session = await api.session();
    for (const id of [
      unknownId(session),
      withOtherEnd(session.id),
      "' OR 1=1 --",
      "a\u0000b",
      "ü".repeat(30),
    ]) {
      const answer = await api.read(id);
      if (answer.status === 400) continue;
      expectCode(answer, 404, "session_not_found", `the session ${JSON.stringify(id)}`);
    }
    const refreshed = await api.refresh(unknownId(session));
    expectCode(refreshed, 404, "session_not_found", "a refresh of an unknown one");
  },
  async "5.2-refresh"(api) {
    const first = await api.session();
    const answer = await api.refresh(first.id);
    expectStatus(answer, 200, "a refresh");
    expectFields(bodyOf(answer), ["id", "challenge", "qr_data", "expires_at"], "A refreshed session");
    const second = api.keep(answer, 200);
    if (second.id !== first.id) fail("The refreshed session has another identifier.");
    if (second.challenge === first.challenge) fail("The new challenge is the old one.");
    expectStatus(await api.respond(first), 200, "an answer to the challenge before");
  },
  async "5.2-refresh-mode"(api) {
    const first = await api.session({ mode: "register" });
    const [before, after] = [first, await api.renew(first)].map(({ challenge }) =>
      challenge.split(":").slice(0, 3).join(":"),
    );
    if (before !== after) fail(`After ${before} the challenge begins ${after}.`);
  },
  async "5.2-refresh-authenticated"(api) {
    const { id } = await api.authenticated();
    const answer = await api.refresh(id);
    expectCode(answer, 409, "session_already_authenticated", "a refresh of an answered session");
    await api.expectStanding(id, "authenticated", "After the refresh the status");
  },
  "5.2-expired": waits(async (api) => {
    const session = await api.session();
    await api.wait(LIFETIME_SECONDS + 1);
    expectCode(await api.read(session.id), 410, "session_expired", "a session after 31 seconds");
    expectStatus(await api.respond(session), 408, "an answer after 31 seconds");
    const revived = await api.renew(session);
    await api.expectStanding(session.id, "pending", "The refreshed session");
    expectStatus(await api.respond(session), 408, "the old challenge after a refresh");
    expectStatus(await api.respond(revived), 200, "the new challenge");
  }),
  "5.2-lives-30-seconds": waits(async (api) => {
    const session = await api.session();
    await api.wait(LIFETIME_SECONDS - 4);
    expectStatus(await api.respond(session), 200, "an answer after 26 seconds");
  }),
  "5.2-answered-stays": waits(async (api) => {
    const { id } = await api.authenticated();
    await api.wait(LIFETIME_SECONDS + 1);
    const answer = await api.read(id);
    expectStatus(answer, 200, "an answered session after 31 seconds");
    expectEqual(bodyOf(answer).status, "authenticated", "Its status");
  }),
} satisfies Rules<Api, HostedId>;

const AT_ONCE = 6;

const createOnce = (api: Api, key: string, more: Body = {}) =>
  api.create(more, { headers: { "Idempotency-Key": key } });

/** `Idempotency-Key` makes a repeated request one request. */
export const IDEMPOTENCY_CHECKS = {
  async "5.2-idempotency"(api) {
    const key = randomUUID();
    const first = await createOnce(api, key);
    expectStatus(first, 201, "a session with an Idempotency-Key");
    const second = await createOnce(api, key);
    expectStatus(second, 201, "the same request again");
    if (second.text !== first.text) fail("The second answer is another one.");
    const other = await createOnce(api, randomUUID());
    if (bodyOf(other).id === bodyOf(first).id) fail("Another Idempotency-Key gets the same session.");
  },
  async "5.2-idempotency-conflict"(api) {
    const key = randomUUID();
    await createOnce(api, key);
    const answer = await createOnce(api, key, { mode: "register" });
    expectCode(answer, 409, "idempotency_conflict", "another body");
  },
  async "5.2-idempotency-at-once"(api) {
    const key = randomUUID();
    await api.domain();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => createOnce(api, key)));
    const refused = answers.find(({ status }) => status !== 201);
    if (refused) fail(`One of ${AT_ONCE} simultaneous requests gets ${refused.status}.`);
    const made = new Set(answers.map((answer) => bodyOf(answer).id)).size;
    if (made > 1) fail(`${AT_ONCE} simultaneous requests created ${made} sessions.`);
  },
  async "5.2-idempotency-key"(api) {
    for (const key of ["", "x".repeat(256), "\u00e9"])
      expectInvalid(await createOnce(api, key), `the key ${JSON.stringify(key.slice(0, 9))}`);
    expectStatus(await createOnce(api, randomUUID().padEnd(255, "x")), 201, "a key of 255 characters");
  },
} satisfies Rules<Api, HostedId>;
