import { Blocked, fail, type Rule } from "../check.ts";
import { expectStatus, refusalOf } from "../expect-status.ts";
import { Wallet } from "../server/wallet.ts";
import { type Api, bodyOf } from "./api.ts";
import { expectCode, ISO } from "./sessions.ts";

/** Section 5.2: a session from its challenge to its end. */

const LIFETIME_SECONDS = 30;

/** @throws {Failure} unless the object has these fields and no other */
function expectFields(body: Record<string, unknown>, names: readonly string[], what: string): void {
  const given = Object.keys(body).toSorted().join(", ");
  if (given !== names.toSorted().join(", "))
    fail(`${what} has the fields ${given} instead of ${names.toSorted().join(", ")}.`);
}

export const SESSION_LIFE_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.2-pending",
    proves: "A session that nobody has answered is read as `id`, `status` and `expires_at`, and no more.",
    cause: "The session's row is sent, with the challenge or what the customer keeps in it.",
    async run(api) {
      const { id } = await api.session({ metadata: { custom_data: "kept" } });
      const answer = await api.read(id);
      expectStatus(answer, 200, "a session");
      expectFields(bodyOf(answer), ["id", "status", "expires_at"], "A pending session");
      const { id: given, status } = bodyOf(answer);
      if (given !== id || status !== "pending")
        fail(`The session is ${answer.text} instead of "pending" with the id ${id}.`);
    },
  },
  {
    id: "5.2-authenticated",
    proves:
      "An answered session names its user: the key in canonical form, platform and version of the device.",
    cause: "The key is shown as it was sent, so that one user looks like two; or the device's id leaves.",
    async run(api) {
      const wallet = new Wallet();
      const session = await api.session();
      const answer = await api.respond(session, wallet, { public_key: wallet.compressedKey.toUpperCase() });
      if (answer.status !== 200) throw new Blocked(`A compressed key is refused: ${refusalOf(answer)}`);
      const read = await api.read(session.id);
      expectStatus(read, 200, "an answered session");
      const body = bodyOf(read);
      expectFields(body, ["id", "status", "authenticated_at", "user"], "An answered session");
      if (body.status !== "authenticated")
        fail(`The status is ${JSON.stringify(body.status)} instead of "authenticated".`);
      if (!ISO.test(String(body.authenticated_at)))
        fail(`It was authenticated at ${body.authenticated_at} instead of a time of ISO 8601 in UTC.`);
      const { public_key: key, device_info: device } = body.user as Record<string, unknown>;
      if (key !== wallet.publicKey)
        fail(`The user's key is ${JSON.stringify(key)} instead of ${wallet.publicKey}.`);
      const told = Object.keys((device ?? {}) as object).filter((name) => !/^(platform|version)$/.test(name));
      if (told.length > 0) fail(`The user's device tells ${told.join(", ")}.`);
    },
  },
  {
    id: "5.2-unknown-session",
    proves: "An unknown session is 404 `session_not_found`, whatever its identifier looks like.",
    cause: "A strange identifier reaches the database.",
    async run(api) {
      const { id } = await api.session();
      const other = id.slice(0, -1) + (id.endsWith("A") ? "B" : "A");
      for (const unknown of ["A".repeat(id.length), other, "' OR 1=1 --", "a\u0000b", "ü".repeat(30)]) {
        const answer = await api.read(unknown);
        if (answer.status === 400) continue;
        expectCode(answer, 404, "session_not_found", `the session ${JSON.stringify(unknown)}`);
      }
      expectCode(
        await api.refresh("A".repeat(id.length)),
        404,
        "session_not_found",
        "a refresh of an unknown one",
      );
    },
  },
  {
    id: "5.2-refresh",
    proves: "A refresh gives the session a new challenge; the one before stays good until its own end.",
    cause: "A session holds one challenge, which every refresh overwrites.",
    async run(api) {
      const first = await api.session();
      const answer = await api.refresh(first.id);
      expectStatus(answer, 200, "a refresh");
      expectFields(bodyOf(answer), ["id", "challenge", "qr_data", "expires_at"], "A refreshed session");
      const second = api.keep(answer, 200);
      if (second.id !== first.id) fail("The refreshed session has another identifier.");
      if (second.challenge === first.challenge) fail("The new challenge is the old one.");
      expectStatus(await api.respond(first), 200, "an answer to the challenge before");
    },
  },
  {
    id: "5.2-refresh-mode",
    proves: "A refreshed challenge is of the same mode and domain.",
    cause: "The refresh has defaults of its own.",
    async run(api) {
      const first = await api.session({ mode: "register" });
      const second = api.keep(await api.refresh(first.id), 200);
      const [before, after] = [first, second].map(({ challenge }) =>
        challenge.split(":").slice(0, 3).join(":"),
      );
      if (before !== after) fail(`After ${before} the challenge begins ${after}.`);
    },
  },
  {
    id: "5.2-refresh-authenticated",
    proves:
      "An answered session is not refreshed: 409 `session_already_authenticated`, and it stays answered.",
    cause: "The refresh writes `pending` before it looks.",
    async run(api) {
      const { id } = await api.authenticated();
      expectCode(
        await api.refresh(id),
        409,
        "session_already_authenticated",
        "a refresh of an answered session",
      );
      const status = await api.statusOf(id);
      if (status !== "authenticated")
        fail(`After the refresh the status is ${JSON.stringify(status)} instead of "authenticated".`);
    },
  },
  {
    id: "5.2-expired",
    proves:
      "After 30 seconds a session is 410 `session_expired` and its challenge 408; a refresh revives it.",
    cause: "Expiry is left to a clean-up job, or ends the session for good.",
    waits: true,
    async run(api) {
      const session = await api.session();
      await api.wait(LIFETIME_SECONDS + 1);
      expectCode(await api.read(session.id), 410, "session_expired", "a session after 31 seconds");
      expectStatus(await api.respond(session), 408, "an answer after 31 seconds");
      const revived = api.keep(await api.refresh(session.id), 200);
      if ((await api.statusOf(session.id)) !== "pending") fail("The refreshed session is not pending.");
      expectStatus(await api.respond(session), 408, "the old challenge after a refresh");
      expectStatus(await api.respond(revived), 200, "the new challenge");
    },
  },
  {
    id: "5.2-lives-30-seconds",
    proves: "A challenge is good for its whole 30 seconds.",
    cause: "A shorter lifetime, or one that is counted from the start of the session.",
    waits: true,
    async run(api) {
      const session = await api.session();
      await api.wait(LIFETIME_SECONDS - 4);
      expectStatus(await api.respond(session), 200, "an answer after 26 seconds");
    },
  },
  {
    id: "5.2-answered-stays",
    proves: "An answered session can be read after its challenge has ended.",
    cause: "The end of the challenge is compared before the status is.",
    waits: true,
    async run(api) {
      const { id } = await api.authenticated();
      await api.wait(LIFETIME_SECONDS + 1);
      const answer = await api.read(id);
      expectStatus(answer, 200, "an answered session after 31 seconds");
      if (bodyOf(answer).status !== "authenticated")
        fail(`It is ${answer.text.slice(0, 100)} instead of "authenticated".`);
    },
  },
];
