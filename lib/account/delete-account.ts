import { db } from "#lib/platform/database/db.ts";
import { log } from "#lib/platform/log.ts";
import { listCredentials } from "#packages/login/plugins/account/store/credential.ts";
import type { Requester } from "#packages/login/plugins/approvals/requester.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import type { RequestHeaders } from "#packages/login/server/web-request.ts";
import { loginCore, requireApproval } from "../login.ts";
import { withLockedSession } from "./store/with-locked-session.ts";

/**
 * The user must first delete their domains at the hosted API, so that no site stops working unexpectedly.
 * @throws {Refusal} 401 without a session, 403 `approval_required`, 409 `domains_registered`
 */
export async function deleteAccount(request: { headers: RequestHeaders }): Promise<void> {
  const asker = await requireApproval(request);
  const outcome = await endAccount(asker).catch(async (error: unknown) => {
    // If two requests are simultaneous, the second finds an account without sign-in methods.
    if ((await listCredentials(loginCore().database, asker.userId)).length > 0) throw error;
    return "ended";
  });
  if (outcome === "domains") {
    throw refusal(
      "domains_registered",
      "Nothing was deleted: you have domains registered with the hosted API. Delete them in the console first.",
    );
  }
  // One batch is enough for most accounts. The job deletes the rest, or everything if this batch fails.
  await deleteUserBatch(asker.userId).catch((error) =>
    log().warn({ error }, "the history of an ended account is left"),
  );
}

/** Counts both modes. */
export async function countUserDomains(userId: number): Promise<number> {
  return db().domain.count({ where: { owner: { userId } } });
}

/** Its payload is the user's id. */
export const FORGET_USER_JOB = "forget_user";

const EVENTS_BATCH = 5_000;
const LOGINS_BATCH = 500;

/**
 * Ends an account in one transaction: deletes its sign-in methods, browser sessions, answered logins, recovery codes,
 * recoveries and API keys. A concurrent sign-in, recovery or change waits for the locks and then finds no row.
 * Afterwards the user cannot sign in and their history cannot be read. A job deletes the history.
 * @returns `domains` if the user has registered domains, in which case nothing was deleted
 * @throws {Refusal} 401 if the requesting session has ended
 */
async function endAccount(asker: Requester): Promise<"ended" | "domains"> {
  const { userId } = asker;
  return withLockedSession(asker, { needsApproval: true }, async (within) => {
    // These rows are locked before the user's row, because a concurrent sign-in or recovery locks one of them before it
    // refers to the user.
    await within.$queryRaw`SELECT 1 FROM browser_session WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
    await within.$queryRaw`SELECT 1 FROM recovery WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
    await within.$queryRaw`SELECT 1 FROM credential WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
    await within.$queryRaw`SELECT 1 FROM recovery_code WHERE user_id = ${userId} ORDER BY slot FOR UPDATE`;
    await within.$queryRaw`SELECT 1 FROM user_account WHERE id = ${userId} FOR UPDATE`;
    const [domain] = await within.$queryRaw<unknown[]>`
      SELECT 1 FROM domain JOIN owner ON owner.id = owner_id WHERE owner.user_id = ${userId} LIMIT 1`;
    if (domain) return "domains";
    await within.$executeRaw`
      DELETE FROM hosted_login WHERE public_key IN (SELECT value FROM credential WHERE user_id = ${userId})`;
    await within.$executeRaw`
      DELETE FROM login_session WHERE sid IN (
        SELECT sid FROM login_session WHERE asked_by IN (
          SELECT id FROM recovery WHERE user_id = ${userId}
          UNION ALL SELECT id FROM browser_session WHERE user_id = ${userId}
        )
        UNION SELECT sid FROM login_session
          WHERE user_id = ${userId} AND status = 'authenticated' AND redeemed_at IS NULL AND flow <> 'hosted')`;
    await within.$executeRaw`DELETE FROM browser_session WHERE user_id = ${userId}`;
    await within.$executeRaw`DELETE FROM recovery WHERE user_id = ${userId}`;
    await within.$executeRaw`DELETE FROM recovery_code WHERE user_id = ${userId}`;
    await within.$executeRaw`DELETE FROM credential WHERE user_id = ${userId}`;
    await within.$executeRaw`DELETE FROM profile WHERE user_id = ${userId}`;
    await within.$executeRaw`DELETE FROM owner WHERE user_id = ${userId}`;
    await within.$executeRaw`
      SELECT graphile_worker.add_job(${FORGET_USER_JOB}::text, json_build_object('userId', ${userId}::int))`;
    return "ended";
  });
}

/** The account must have ended. */
export async function forgetUser(userId: number): Promise<void> {
  while (!(await deleteUserBatch(userId)));
}

/**
 * The account must have ended. Deletes the user's row after the last batch.
 * @returns true if no data remains
 */
async function deleteUserBatch(userId: number): Promise<boolean> {
  await db().$executeRaw`
    DELETE FROM login_event
    WHERE id IN (SELECT id FROM login_event WHERE user_id = ${userId} LIMIT ${EVENTS_BATCH})`;
  await db().$executeRaw`
    WITH batch AS (
      SELECT sid FROM login_session WHERE user_id = ${userId} AND flow <> 'hosted' LIMIT ${LOGINS_BATCH}
    ), entries AS (
      DELETE FROM login_event USING batch WHERE login_event.sid = batch.sid
    )
    DELETE FROM login_session USING batch WHERE login_session.sid = batch.sid`;
  // The number of deleted rows does not show whether any remain, because the request and the job can delete the same
  // rows.
  await db().$executeRaw`
    DELETE FROM user_account WHERE id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM login_event WHERE user_id = ${userId})
      AND NOT EXISTS (SELECT 1 FROM login_session WHERE user_id = ${userId} AND flow <> 'hosted')`;
  return (await db().user.count({ where: { id: userId } })) === 0;
}
