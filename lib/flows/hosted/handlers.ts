import "server-only";
import {
  CREATE_SESSION,
  GET_SESSION,
  LIST_SESSIONS,
  REFRESH_SESSION,
} from "#lib/contracts/hosted/session.ts";
import { VERIFY_SIGNATURE } from "#lib/contracts/hosted/verify.ts";
import { type BoundOperation, bindOperation } from "./bind-operation.ts";
import { createSession } from "./create-session.ts";
import { listSessions, readSession } from "./read-session.ts";
import { refreshSession } from "./refresh-session.ts";
import { verifySentSignature } from "./verify-signature.ts";

/** What carries out each operation of the hosted API. */
export const HANDLERS: readonly BoundOperation[] = [
  bindOperation(CREATE_SESSION, ({ caller, body, headers }) =>
    createSession(caller, body, headers.get("idempotency-key")),
  ),
  bindOperation(LIST_SESSIONS, ({ caller, query }) => listSessions(caller, query)),
  bindOperation(GET_SESSION, ({ caller, params }) => readSession(caller, params.id)),
  bindOperation(REFRESH_SESSION, ({ caller, params }) => refreshSession(caller, params.id)),
  bindOperation(VERIFY_SIGNATURE, ({ body }) => verifySentSignature(body)),
];
