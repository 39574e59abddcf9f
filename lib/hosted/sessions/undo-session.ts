import { db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import type { MarkUndone } from "#packages/login/server/undo-login.ts";
import { computeUndoTimes, type UndoneLogin } from "#packages/login/server/undo-login.ts";
import { EventEnvelope, formatEvent } from "../contract/event.ts";
import { generateEventId } from "../events/event-queue.ts";

const UNDO = svcFunction("undo_hosted", [
  "sessionSid",
  "undoHash",
  "eventId",
  "eventBody",
  "now",
  "answeredSince",
  "deadline",
]);

/**
 * Only the customer knows the signed-in user, so an event notifies the customer. This event contains the same data as
 * the login's own event (docs/protocol.md#113-hosted-login).
 */
export const undoSession: MarkUndone = async ({ database }, { sid, undoHash, now }) => {
  const login = await db().webhookEvent.findFirst({
    where: { sid, kind: { not: "undone" } },
    select: { body: true },
  });
  // If the domain was deleted in the meantime, there is no customer to notify.
  const data = login && EventEnvelope.parse(JSON.parse(login.body)).data;
  const eventBody = data && formatEvent("undone", now, sid, data);
  const event = { sessionSid: sid, undoHash, eventId: generateEventId(), eventBody };
  return callSqlFunction<UndoneLogin>(database, UNDO, { ...event, ...computeUndoTimes(now) });
};
