import type { MarkUndone } from "#lib/login/server/undo-login.ts";
import { statement } from "#lib/login/store/database.ts";
import { type UndoneLogin, undoStatement, undoValues } from "#lib/login/store/undo-login.ts";
import { EventEnvelope, formatEvent } from "../contract/event.ts";
import { newEventId, WAKE_TENANT_SQL } from "../events/event-queue.ts";

/**
 * Takes a hosted login back (docs/protocol.md#113-hosted-login). Only the customer knows whom the login signed in, so
 * an event tells it, once, with the data of the login's own event.
 */
export const undoSession: MarkUndone = async ({ database }, undo) => {
  const [login] = await database.run<{ body: string }>(FIND_EVENT, [undo.sid]);
  // A session whose domain was deleted in the meantime has nobody to tell.
  const data = login && EventEnvelope.parse(JSON.parse(login.body)).data;
  const event = data && formatEvent("undone", undo.now, undo.sid, data);
  const values = [...undoValues(undo), newEventId(), event ?? null];
  return (await database.run<UndoneLogin>(UNDO, values))[0] ?? null;
};

const FIND_EVENT = statement({
  name: "find-event-of-login",
  select: "SELECT body FROM webhook_event WHERE sid = $1::text AND kind <> 'undone'",
  durable: false,
});

/** Writes the event together with the mark: whenever a login is taken back, its customer is told. */
const UNDO = undoStatement({
  name: "undo-hosted-login",
  condition: "flow = 'hosted'",
  beside: `, told AS (
    SELECT undone.sid, domain.id, domain.owner_id, COALESCE(hosted.webhook_url, domain.webhook_url) AS url,
      hosted.webhook_url IS NOT NULL AS own_url
    FROM undone
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
    FOR KEY SHARE OF domain
  ), event AS (
    INSERT INTO webhook_event (id, domain_id, sid, kind, url, own_url, body, created_at, next_attempt_at)
    SELECT $5::text, id, sid, 'undone', url, own_url, $6::text, $1::timestamptz, $1::timestamptz
    FROM told WHERE $6::text IS NOT NULL
  )`,
  selected: `(SELECT ${WAKE_TENANT_SQL} FROM told AS domain)`,
});
