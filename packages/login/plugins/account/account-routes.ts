import { z } from "zod";
import { isUniqueViolation } from "../../database/database-error.ts";
import { jsonResponse } from "../../http/call.ts";
import { type Refusal, refusal } from "../../protocol/errors.ts";
import { currentSession } from "../../server/browser-session.ts";
import { createExpiredBindingCookie, readBrowserHash } from "../../server/cookies.ts";
import { createAccountRoute } from "../../site/answer-login.ts";
import type { Routes, Site, SiteCall } from "../../site/plugin.ts";
import { endPendingLogins } from "../../site/plugin.ts";
import { notSignedInRefusal, requireApproval, requireRequester } from "../approvals/requester.ts";
import { addCredential, removeCredential, renameCredential } from "./store/credential.ts";
import { dismissNotices } from "./store/history.ts";
import { endOwnBrowserSessions } from "./store/sessions.ts";

export function createAccountRoutes(site: Site): Routes {
  return {
    "/api/account/credentials": createAccountRoute(site, { POST: addSignInMethod }),
    "/api/account/credentials/:id": createAccountRoute(site, {
      PATCH: renameSignInMethod,
      DELETE: removeSignInMethod,
    }),
    "/api/account/sessions": createAccountRoute(site, { DELETE: (call) => endSessions(site, call, null) }),
    "/api/account/sessions/:id": createAccountRoute(site, {
      DELETE: (call) => endSessions(site, call, call.params.id ?? ""),
    }),
    "/api/account/changes/dismiss": createAccountRoute(site, { POST: dismiss }),
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const done = (headers?: HeadersInit) => new Response(null, { status: 204, headers });

const Addition = z.object({
  sid: z.string().max(128),
});

async function addSignInMethod(call: SiteCall): Promise<Response> {
  const { core, request } = call;
  const { sid } = await call.body(Addition);
  const asker = await requireApproval(core, request.headers);
  const browserHash = browserHashOf(call);
  const added =
    browserHash &&
    (await addCredential(core.database, asker, { sid, browserHash }).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw refusal(
        "credential_taken",
        "This key or address already belongs to an account. Use another one, or remove it there first.",
      );
    }));
  if (added === "ended") throw notSignedInRefusal();
  if (added) return jsonResponse(201, added);
  throw refusal("session_not_found", "There is nothing left to add. Get a new code and start again.");
}

/** An empty name removes the current one. */
export const DisplayName = z
  .string()
  .trim()
  .max(60, "expected up to 60 characters")
  // Invisible characters could make two sign-in methods look the same.
  .regex(/^\P{C}*$/u, "expected letters, digits, marks and spaces");

const Label = z.object({ label: DisplayName });

async function renameSignInMethod({ core, request, body, params: { id = "" } }: SiteCall): Promise<Response> {
  const { label } = await body(Label);
  const asker = await requireRequester(core, request.headers);
  const result = UUID.test(id) ? await renameCredential(core.database, asker, id, label || null) : "unknown";
  if (result === "ended") throw notSignedInRefusal();
  if (result === "unknown") throw unknownCredential();
  return done();
}

async function removeSignInMethod({ core, request, params: { id = "" } }: SiteCall): Promise<Response> {
  const asker = await requireApproval(core, request.headers);
  const result = UUID.test(id) ? await removeCredential(core.database, asker, id) : "unknown";
  if (result === "ended") throw notSignedInRefusal();
  if (result === "unknown") throw unknownCredential();
  if (result === "last") {
    throw refusal("last_credential", "This is your only sign-in method. Add another one first.");
  }
  return done();
}

function unknownCredential(): Refusal {
  return refusal("not_found", "You do not have this sign-in method. It may have been removed already.");
}

/** Ends all sessions if `id` is null. Needs no approval, because this only signs out browsers. */
async function endSessions(site: Site, call: SiteCall, id: string | null): Promise<Response> {
  const { core, request } = call;
  const asker = await requireRequester(core, request.headers);
  const endsHere = id === null || id === asker.sessionId;
  const which = { id, browserHash: browserHashOf(call), endsHere };
  const isKnown = id === null || UUID.test(id);
  const endedCount = isKnown ? await endOwnBrowserSessions(core.database, asker, which) : 0;
  if (endedCount === null) throw notSignedInRefusal();
  if (endedCount === 0) {
    throw refusal("session_not_found", "You do not have this session. It may have ended already.");
  }
  await endPendingLogins(site, { ...which, now: asker.now, userId: asker.userId, reason: "revoked" });
  return done(endsHere ? { "Set-Cookie": createExpiredBindingCookie(core.origin) } : undefined);
}

const Dismissed = z.object({
  ids: z.array(z.string().regex(/^[1-9][0-9]{0,17}$/, "expected the id of a change")).max(100),
});

async function dismiss({ core, request, body }: SiteCall): Promise<Response> {
  const { ids } = await body(Dismissed);
  const session = await currentSession(core, request.headers);
  if (!session) throw notSignedInRefusal();
  await dismissNotices(core.database, session, ids, core.now());
  return done();
}

function browserHashOf({ core, request }: SiteCall): Uint8Array | null {
  return readBrowserHash(request.headers.get("cookie"), core.origin);
}
