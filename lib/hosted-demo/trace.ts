import { z } from "zod";
import { listAuditEntriesOfSession } from "#lib/account/store/history.ts";
import { getDelivery, listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { findTenant } from "#lib/hosted/tenants/find-tenant.ts";
import type { Customer, CustomerCall } from "#lib/login/customer/customer.ts";
import type { ApiCall } from "#lib/login/customer/hosted-api-client.ts";
import { jsonResponse } from "#lib/login/http/call.ts";
import { requireSid } from "#lib/login/server/sent-headers.ts";
import { db } from "#lib/platform/database/db.ts";
import { DEMO_TENANT } from "./set-up-demo.ts";

/**
 * What a customer's server and the hosted API say to each other during a login, for the page at `/login/hosted` to
 * show: to the browser that started the login alone, and never the key or the secret.
 */

const ENTRIES_SHOWN = 20;
const EVENTS_SHOWN = 5;

/** A code as the customer answers, with the requests to the API that it took. */
export async function qrWithCalls(customer: Customer, call: CustomerCall): Promise<Response> {
  const calls: ApiCall[] = [];
  const response = await customer.qr({ ...call, onApiCall: (made) => calls.push(made) });
  const cookie = response.headers.get("Set-Cookie") ?? "";
  return jsonResponse(response.status, { ...(await response.json()), calls }, { "Set-Cookie": cookie });
}

/**
 * The wallet's answers, the event with every attempt, and when it was redeemed.
 * @throws {Refusal} as `check`: 404 for another browser's login, 410 for one that was taken back
 */
export async function readTrace(customer: Customer, call: CustomerCall): Promise<Response> {
  const sid = requireSid(call.query);
  await customer.check(call);
  const tenantId = (await findTenant(DEMO_TENANT))?.id ?? "";
  const tenant = { tenantId, mode: "test" } as const;
  const { deliveries } = await listDeliveries(tenant, { limit: EVENTS_SHOWN, session_id: sid });
  const events = await Promise.all(deliveries.map(({ id }) => getDelivery(tenant, id)));
  const entries = await listAuditEntriesOfSession(sid, ENTRIES_SHOWN);
  const login = await db().hostedLogin.findUnique({
    where: { sessionId: sid },
    select: { redeemedAt: true },
  });
  return jsonResponse(200, {
    answers: entries
      .filter(({ kind }) => kind === "delivered" || kind === "refused")
      .map(({ at, kind, reason }) => ({ at, accepted: kind === "delivered", reason })),
    events: events.map(({ event, url, body, attempts }) => ({
      event,
      path: new URL(url).pathname,
      body: withoutDevice(body),
      attempts: attempts.map(({ at, status, error, latency_ms, headers }) => ({
        at,
        status,
        error,
        latency_ms,
        headers,
      })),
    })),
    redeemed_at: login?.redeemedAt ?? null,
  });
}

const Body = z.looseObject({ data: z.looseObject({ device_info: z.unknown() }) });

/**
 * What the wallet told of its device is for the site's server. Somebody else's wallet may have answered: a code can be
 * relayed.
 */
function withoutDevice(text: string): unknown {
  const { data, ...envelope } = Body.parse(JSON.parse(text));
  return { ...envelope, data: { ...data, device_info: "…" } };
}
