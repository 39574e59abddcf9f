import type { Plugin, SiteEvent } from "@svc/login";
import { undoSession } from "#lib/hosted/sessions/undo-session.ts";
import { database } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import type { Database } from "#packages/login/database/database.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { HOSTED_LOGIN_FLOW } from "#packages/login/plugins/customer/store/database-store.ts";
import { now } from "#packages/login/process/state.ts";
import type { SessionsToEnd } from "#packages/login/server/browser-session.ts";

export const hostedLogins: Plugin<"hosted-demo"> = {
  name: "hosted-demo",
  flows: () => ({ hosted: HOSTED_LOGIN_FLOW }),
  undo: undoSession,
  onSessionEnd: (_site, end) => endHostedLogins(database(), end),
};

const FORGET = svcFunction("forget_hosted_logins", ["endsHere", "browserHash", "revoked", "ownerId"]);

/** Ends those in this browser, or those that the user's keys have answered. */
export async function endHostedLogins(
  database: Database,
  { endsHere, browserHash, reason, userId }: SessionsToEnd,
): Promise<void> {
  await callSqlFunction(database, FORGET, {
    endsHere,
    browserHash,
    revoked: reason === "revoked",
    ownerId: userId,
  });
}

export async function endHostedLoginsAfterRecovery(kind: SiteEvent["kind"], userId: number): Promise<void> {
  if (kind !== "recovered") return;
  await endHostedLogins(database(), {
    ...{ now: now(), userId, id: null, browserHash: null },
    reason: "revoked",
    endsHere: false,
  });
}
