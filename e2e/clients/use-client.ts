/** Uses every operation. The strict compilation of orval's types is half of the test. */

import {
  type CreatedSession,
  createDomain,
  createSession,
  type Delivery,
  type DeliveryDetail,
  type Domain,
  type DomainDetail,
  deleteDomain,
  type EventKind,
  getDelivery,
  getDomain,
  getSession,
  listDeliveries,
  listDomains,
  listSessions,
  refreshSession,
  resendDelivery,
  rotateSecret,
  type Session,
  sendTestEvent,
  updateDomain,
  type VerifySignature,
  verifyDomain,
  verifySignature,
} from "./api.ts";

const { API_KEY = "", DOMAIN = "", SIGNATURE = "" } = process.env;
const withKey = { headers: { Authorization: `Bearer ${API_KEY}` } };

type Answer = { status: number; data: unknown };

/** With the type that the document gives for this status. */
function dataOf<Any extends Answer, Status extends Any["status"]>(
  answer: Any,
  status: Status,
): Extract<Any, { status: Status }>["data"] {
  if (answer.status === status) return answer.data;
  throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.data)}`);
}

const registration = { domain: DOMAIN, webhook_url: `https://${DOMAIN}/events` };
const { id } = dataOf(await createDomain(registration, withKey), 201);
const { code } = dataOf(await createDomain(registration, withKey), 409).error;
const refused: "domain_already_registered" | false = code === "domain_already_registered" && code;
const domain: DomainDetail = dataOf(await getDomain(id, withKey), 200);
const domains: Domain[] = dataOf(await listDomains({ limit: 5 }, withKey), 200).domains;
dataOf(await updateDomain(id, { webhook_url: `https://${DOMAIN}/others` }, withKey), 200);
dataOf(await rotateSecret(id, withKey), 200);
dataOf(await verifyDomain(id, withKey), 422);

const testEvent: Delivery = dataOf(await sendTestEvent(id, withKey), 202);
const resentEvent: Delivery = dataOf(await resendDelivery(testEvent.id, withKey), 202);
const delivery: DeliveryDetail = dataOf(await getDelivery(testEvent.id, withKey), 200);
const deliveries: Delivery[] = dataOf(await listDeliveries({ domain_id: id }, withKey), 200).deliveries;
const kind: EventKind = resentEvent.event;

const newSession: CreatedSession = dataOf(
  await createSession({ domain: DOMAIN, mode: "login" }, withKey),
  201,
);
const session: Session = dataOf(await getSession(newSession.id, withKey), 200);
const deadline = session.status === "pending" ? session.expires_at : session.authenticated_at;
dataOf(await refreshSession(newSession.id, {}, withKey), 200);
const [listed] = dataOf(await listSessions({}, withKey), 200).sessions;

const signature: VerifySignature = JSON.parse(SIGNATURE);
const { valid } = dataOf(await verifySignature(signature, withKey), 200);
dataOf(await deleteDomain(id, withKey), 204);
const unauthorized = dataOf(await listDomains({}, { headers: { Authorization: "Bearer svc_test_x" } }), 401);

process.stdout.write(
  JSON.stringify({
    refused,
    unauthorized: unauthorized.error.code,
    domains: domains.map((item) => item.domain),
    delegation: domain.delegation.status,
    kind,
    deliveries: deliveries.length,
    body: JSON.parse(delivery.body).event,
    waits: typeof deadline,
    listed: listed?.id === newSession.id,
    valid,
  }),
);
