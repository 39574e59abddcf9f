import {
  CREATE_DOMAIN,
  DELETE_DOMAIN,
  GET_DOMAIN,
  LIST_DOMAINS,
  ROTATE_SECRET,
  UPDATE_DOMAIN,
  VERIFY_DOMAIN,
} from "../contract/domain.ts";
import { LIST_DELIVERIES, RESEND_DELIVERY, SEND_TEST_EVENT } from "../contract/event.ts";
import { CREATE_SESSION, GET_SESSION, LIST_SESSIONS, REFRESH_SESSION } from "../contract/session.ts";
import { VERIFY_SIGNATURE } from "../contract/verify.ts";
import {
  deleteDomain,
  getDomain,
  listDomains,
  rotateSecret,
  updateDomain,
} from "../domains/manage-domains.ts";
import { createDomain } from "../domains/register-domain.ts";
import { verifyDomain } from "../domains/verify-domain.ts";
import { listDeliveries, resendDelivery, sendTestEvent } from "../events/manage-deliveries.ts";
import { createSession } from "../sessions/create-session.ts";
import { listSessions, readSession, refreshSession } from "../sessions/manage-sessions.ts";
import { type BoundOperation, bindOperation } from "./bind-operation.ts";
import { verifySentSignature } from "./verify-signature.ts";

/** What carries out each operation of the hosted API. */
export const HANDLERS: readonly BoundOperation[] = [
  bindOperation(CREATE_SESSION, ({ caller, body, headers, requestId }) =>
    createSession(caller, body, { requestId, idempotencyKey: headers.get("idempotency-key") }),
  ),
  bindOperation(LIST_SESSIONS, ({ caller, query }) => listSessions(caller, query)),
  bindOperation(GET_SESSION, ({ caller, params }) => readSession(caller, params.id)),
  bindOperation(REFRESH_SESSION, ({ caller, params, requestId }) =>
    refreshSession(caller, params.id, requestId),
  ),
  bindOperation(VERIFY_SIGNATURE, ({ body }) => verifySentSignature(body)),
  bindOperation(LIST_DOMAINS, ({ caller, query }) => listDomains(caller, query)),
  bindOperation(CREATE_DOMAIN, ({ caller, body, change }) => createDomain(caller, body, change)),
  bindOperation(GET_DOMAIN, ({ caller, params }) => getDomain(caller, params.id)),
  bindOperation(UPDATE_DOMAIN, ({ caller, params, body, change }) =>
    updateDomain(caller, params.id, body, change),
  ),
  bindOperation(DELETE_DOMAIN, async ({ caller, params, change }) => {
    await deleteDomain(caller, params.id, change);
    return undefined;
  }),
  bindOperation(VERIFY_DOMAIN, ({ caller, params }) => verifyDomain(caller, params.id)),
  bindOperation(ROTATE_SECRET, ({ caller, params, change }) => rotateSecret(caller, params.id, change)),
  bindOperation(SEND_TEST_EVENT, ({ caller, params }) => sendTestEvent(caller, params.id)),
  bindOperation(LIST_DELIVERIES, ({ caller, query }) => listDeliveries(caller, query)),
  bindOperation(RESEND_DELIVERY, ({ caller, params }) => resendDelivery(caller, params.id)),
];
