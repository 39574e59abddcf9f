import type { MarkUndone } from "#packages/login/server/undo-login.ts";
import type { Statement } from "#packages/login/store/database.ts";
import { FUNCTIONS_SCHEMA } from "#packages/login/store/functions-schema.ts";
import { type UndoneLogin, undoTimes } from "#packages/login/store/undo-login.ts";
import { EventEnvelope, formatEvent } from "../contract/event.ts";
import { newEventId, WAKE_TENANT_SQL } from "../events/event-queue.ts";

/**
 * Undoes a hosted login (docs/protocol.md#113-hosted-login). Only the customer knows whom the login signed in, so an
 * event notifies it, once, with the data of the login's own event.
 */
export const undoSession: MarkUndone = async ({ database }, undo) => {
  const [login] = await database.run<{ body: string }>(FIND_EVENT, [undo.sid]);
  // A session whose domain was deleted in the meantime has no receiver.
  const data = login && EventEnvelope.parse(JSON.parse(login.body)).data;
  const event = data && formatEvent("undone", undo.now, undo.sid, data);
  const { now, answeredSince, deadline } = undoTimes(undo.now);
  const values = [undo.sid, undo.undoHash, now, answeredSince, deadline, newEventId(), event ?? null];
  return (await database.run<UndoneLogin>(UNDO, values))[0] ?? null;
};

const FIND_EVENT: Statement = {
  name: "find-event-of-login",
  text: "SELECT body FROM webhook_event WHERE sid = $1::text AND kind <> 'undone'",
};

/** Writes the event together with the mark: whenever a login is undone, its customer gets an event. */
const UNDO: Statement = {
  name: "undo-hosted-login",
  text: `WITH undone AS (
    SELECT * FROM ${FUNCTIONS_SCHEMA}.undo($1, $2, true, $3::timestamptz, $4, $5)
  ), receiver AS (
    SELECT domain.id, domain.owner_id, COALESCE(hosted.webhook_url, domain.webhook_url) AS url,
      hosted.webhook_url IS NOT NULL AS own_url
    FROM undone
      JOIN hosted_session AS hosted ON hosted.sid = $1
      JOIN domain ON domain.id = hosted.domain_id
    WHERE undone.is_first
    FOR KEY SHARE OF domain
  ), event AS (
    INSERT INTO webhook_event (id, domain_id, sid, kind, url, own_url, body, created_at, next_attempt_at)
    SELECT $6::text, id, $1, 'undone', url, own_url, $7::text, $3::timestamptz, $3::timestamptz
    FROM receiver WHERE $7::text IS NOT NULL
  )
  SELECT flow, user_id AS "userId", is_first AS "isFirst", cancels_recovery AS "cancelsRecovery",
      (SELECT ${WAKE_TENANT_SQL} FROM receiver AS domain)
    FROM undone WHERE flow IS NOT NULL`,
};
