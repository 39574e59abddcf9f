import { notSignedIn, requireApproval, requireAsker } from "../approval/asker.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { ApiError } from "../http/api-error.ts";
import { jsonResponse } from "../http/call.ts";
import { expiredBindingSetCookie, readBindingSecret } from "../server/cookies.ts";
import { isSecure, type LoginCore } from "../server/core.ts";
import type { LoginCall } from "../server/handlers.ts";
import { hashSecret } from "../server/random.ts";
import type { SentHeaders } from "../server/sent-headers.ts";
import { currentSession } from "../server/session-token.ts";
import type { SessionsEnd } from "../store/browser-session.ts";
import { CredentialAddition, CredentialName, DismissedChanges } from "./messages.ts";
import { addCredential, removeCredential, renameCredential } from "./store/credential.ts";
import { dismissChanges } from "./store/history.ts";
import { endOwnSessions } from "./store/sessions.ts";

/** A request as the door hands it on; `params.id` names one of the user's ways in or sessions. */
export type AccountCall = Pick<LoginCall, "core" | "request" | "body"> & { params: { id?: string } };

/** What ends the logins in progress that are not in `login_session`. */
export type Forget = (end: SessionsEnd) => Promise<void>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const done = (headers?: HeadersInit) => new Response(null, { status: 204, headers });

/** The endpoints of a signed-in user's account, each a function of a call. */
export function accountHandlers(forget: Forget) {
  return {
    /** `POST /api/account/credentials`: adds what a wallet answered with. */
    async add({ core, request: { headers }, body }: AccountCall): Promise<Response> {
      const { sid } = await body(CredentialAddition);
      const asker = await requireApproval(core, headers);
      const browserHash = browserHashOf(core, headers);
      const added =
        browserHash &&
        (await addCredential(core.database, asker, { sid, browserHash }).catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error;
          throw new ApiError(
            "credential_taken",
            "This key or address already belongs to an account. Use another one, or remove it there first.",
          );
        }));
      if (added === "ended") throw notSignedIn();
      if (added) return jsonResponse(201, added);
      throw new ApiError("session_not_found", "There is nothing to add any more. Ask for a new code.");
    },

    /** `PATCH /api/account/credentials/{id}`: an empty name takes it away. */
    async rename({ core, request: { headers }, body, params: { id = "" } }: AccountCall): Promise<Response> {
      const { label } = await body(CredentialName);
      const asker = await requireAsker(core, headers);
      const result = UUID.test(id)
        ? await renameCredential(core.database, asker, id, label === "" ? null : label)
        : "unknown";
      if (result === "ended") throw notSignedIn();
      if (result === "unknown") throw unknownCredential();
      return done();
    },

    /** `DELETE /api/account/credentials/{id}`: never the last one. */
    async remove({ core, request: { headers }, params: { id = "" } }: AccountCall): Promise<Response> {
      const asker = await requireApproval(core, headers);
      const result = UUID.test(id) ? await removeCredential(core.database, asker, id) : "unknown";
      if (result === "ended") throw notSignedIn();
      if (result === "unknown") throw unknownCredential();
      if (result === "last") {
        throw new ApiError("last_credential", "This is your only way to sign in: add another one first.");
      }
      return done();
    },

    /** `DELETE /api/account/sessions/{id}`, and without an id all of them. Needs no approval: it only signs out. */
    async end({ core, request: { headers }, params: { id } }: AccountCall): Promise<Response> {
      const asker = await requireAsker(core, headers);
      const endsHere = id === undefined || id === asker.sessionId;
      const browserHash = browserHashOf(core, headers);
      const which = { id: id ?? null, browserHash, endsHere };
      const known = id === undefined || UUID.test(id);
      const ended = known ? await endOwnSessions(core.database, asker, which) : 0;
      if (ended === null) throw notSignedIn();
      if (ended === 0) {
        throw new ApiError("session_not_found", "You have no such session: it may have ended already.");
      }
      await forget({ ...which, now: asker.now, userId: asker.userId, reason: "revoked" });
      // Nobody is signed in here any more.
      return done(endsHere ? { "Set-Cookie": expiredBindingSetCookie(isSecure(core)) } : undefined);
    },

    /** `POST /api/account/changes/dismiss`: hides changes in this browser, and in no other. */
    async dismiss({ core, request: { headers }, body }: AccountCall): Promise<Response> {
      const { ids } = await body(DismissedChanges);
      const session = await currentSession(core, headers);
      if (!session) throw notSignedIn();
      await dismissChanges(core.database, session, ids);
      return done();
    },
  };
}

function browserHashOf(core: LoginCore, headers: SentHeaders): Uint8Array | null {
  const secret = readBindingSecret(headers.get("cookie"), isSecure(core));
  return secret === null ? null : hashSecret(secret);
}

function unknownCredential(): ApiError {
  return new ApiError("not_found", "You have no such way to sign in: it may have been removed already.");
}
