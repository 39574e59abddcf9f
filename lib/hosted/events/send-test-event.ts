import "server-only";
import { generateKeyPairSync, sign } from "node:crypto";
import { formatChallenge } from "#lib/login/protocol/challenge.ts";
import { unixSeconds } from "#lib/login/protocol/time.ts";
import { newNonce } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import type { DeliveryItem } from "../contract/delivery-log.ts";
import { type EventData, formatEvent } from "../contract/event.ts";
import type { Tenant } from "../contract/tenant.ts";
import { unknownDomain } from "../domains/domain-answers.ts";
import { newEventId } from "../ids.ts";
import { findDomain } from "../store/domain.ts";
import { findEvent } from "../store/event-list.ts";
import { insertEvent } from "../store/webhook-event.ts";
import { deliveryItem, disabledEndpoint } from "./manage-deliveries.ts";

/** No session has this id: an endpoint that looks it up finds none. */
const TEST_SESSION_ID = "test";

/**
 * `POST /domains/{id}/test-event`: an event of the kind `test` to the domain's URL, shaped, signed, retried and
 * logged as every other.
 * @throws {ApiError} 404; 400 while the endpoint is disabled
 */
export async function sendTestEvent(tenant: Tenant, domainId: string): Promise<DeliveryItem> {
  const domain = await findDomain(tenant, domainId);
  if (!domain) throw unknownDomain();
  if (domain.disabledAt) throw disabledEndpoint(domain.disabledAt);
  const at = now();
  const id = newEventId();
  const body = formatEvent({
    event: "test",
    timestamp: at,
    sessionId: TEST_SESSION_ID,
    data: sampleData(domain.domain, at),
  });
  const stored = await insertEvent({ now: at, tenant, domainId, id, kind: "test", body });
  const row = stored ? await findEvent(tenant, id) : null;
  if (!row) throw unknownDomain();
  return deliveryItem(row);
}

// Of a key that is forgotten at once: an endpoint that verifies the signature finds it good.
function sampleData(domain: string, at: Date): EventData {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const timestamp = unixSeconds(at);
  const challenge = formatChallenge({ action: "login", domain, timestamp, nonce: newNonce() });
  // The point stands at the end of the SPKI structure: 04, x, y.
  const point = publicKey.export({ type: "spki", format: "der" }).subarray(-65);
  return {
    public_key: point.toString("hex"),
    signature: sign("sha256", Buffer.from(challenge), privateKey).toString("hex"),
    challenge,
    signed_at: timestamp,
    device_info: { platform: "test", version: "1.0.0", device_id: "test" },
  };
}
