import { masterSecrets } from "#lib/platform/env.ts";
import { log } from "#lib/platform/log.ts";
import { getOutboundPolicy } from "#lib/platform/net/outbound-policy.ts";
import {
  type OutboundResponse,
  type OutboundResult,
  sendOutboundRequest,
} from "#lib/platform/net/send-outbound-request.ts";
import { getMeters } from "#lib/platform/observe/meters.ts";
import { getTracing } from "#lib/platform/observe/tracing.ts";
import { now } from "#packages/login/process/state.ts";
import { addSeconds, unixSeconds } from "#packages/login/protocol/numbers.ts";
import { openSecret, sealSecret } from "../crypto/secret-box.ts";
import { createSignatureHeaders } from "../crypto/webhook-signature.ts";
import { isTestInbox } from "../domains/webhook-url.ts";
import { STORED_RESPONSE_LIMIT_CHARACTERS } from "../numbers.ts";
import { type ClaimedEvent, recordDeliveryAttempt, releaseEvent } from "./event-queue.ts";
import { scheduleNextAttempt } from "./retry-schedule.ts";

/** After this time, the process that makes an attempt is assumed to have died, because no request takes this long. */
export const EVENT_LEASE_SECONDS = 30;
const GONE = 410;
const INBOX_ANSWER: OutboundResponse = {
  status: 200,
  headers: {},
  body: Buffer.from("Kept in the test inbox."),
  cut: null,
};

/**
 * Sends the stored bytes and records the outcome (docs/protocol.md#56-events). Does not occupy a database connection
 * while waiting for the endpoint.
 * @param signal ends the attempt early; the event is then released as if it had not been attempted
 */
export async function attemptDelivery(
  event: ClaimedEvent,
  { at, leaseUntil }: { at: Date; leaseUntil: Date },
  signal: AbortSignal,
): Promise<void> {
  const { id } = event;
  const startedAt = performance.now();
  const headers = headersOf(event, at);
  const result = await sendTraced(event, headers, signal);
  if (result.status === null && signal.aborted) return releaseEvent(id, leaseUntil, now());

  const sealedHeaders =
    "sent" in headers ? sealSecret(JSON.stringify(headers.sent), id, masterSecrets()[0]) : null;
  const latencyMs = Math.round(performance.now() - startedAt);
  const { outcome, nextAttemptAt } = outcomeOf(event, result);
  const { status } = result;
  await recordDeliveryAttempt({
    eventId: id,
    url: event.url,
    leaseUntil,
    attempt: {
      at,
      status,
      error: errorOf(result),
      latencyMs,
      answer: answerOf(result),
      headers: sealedHeaders,
    },
    outcome,
    nextAttemptAt,
    disable: status === GONE,
    gone: isGone(event, result) && !event.once,
    recovered: outcome === "delivered" ? recoveredNow() : null,
  });
  getMeters()?.eventAttempted(outcome, latencyMs / 1000);
  log().info({ event: id, domain: event.domainId, status, latencyMs, outcome }, "event tried");
}

async function sendTraced(
  event: ClaimedEvent,
  headers: Headers,
  signal: AbortSignal,
): Promise<OutboundResult> {
  const spans = getTracing();
  if (!spans) return send(event, headers, signal);
  const attributes = {
    "http.request.method": "POST",
    // Logs only the host, because paths and queries can contain the endpoint's secrets.
    "server.address": new URL(event.url).hostname,
    "svc.event_id": event.id,
    "svc.domain_id": event.domainId,
  };
  return spans.within("POST event", { kind: "CLIENT", attributes }, async (span) => {
    const result = await send(event, headers, signal);
    if (result.status === null) span.end("no_answer");
    else {
      span.set({ "http.response.status_code": result.status });
      span.end(result.status < 400 ? undefined : String(result.status));
    }
    return result;
  });
}

type Headers = { sent: Record<string, string> } | { error: string };

function headersOf(event: ClaimedEvent, at: Date): Headers {
  if (event.disabledAt) {
    return { error: "not sent: the endpoint answered 410 before. Set its webhook_url again" };
  }
  const secrets = secretsOf(event);
  if (!secrets) return { error: "not sent: the webhook secret can no longer be decrypted. Rotate it" };
  const { id, body } = event;
  return {
    sent: {
      "Content-Type": "application/json",
      "User-Agent": "svc-webhooks/1",
      ...createSignatureHeaders({ id, timestamp: unixSeconds(at), body, secrets }),
    },
  };
}

async function send(event: ClaimedEvent, headers: Headers, signal: AbortSignal): Promise<OutboundResult> {
  if ("error" in headers) return { status: null, error: headers.error };
  const { url, body, mode } = event;
  if (isTestInbox(url, mode)) return INBOX_ANSWER;
  return sendOutboundRequest({
    url,
    method: "POST",
    headers: headers.sent,
    body,
    policy: getOutboundPolicy(mode),
    signal,
  });
}

// The current secret first. Null if the master secret that sealed it is no longer configured.
function secretsOf({ domainId, secret, previousSecrets }: ClaimedEvent): [string, ...string[]] | null {
  const open = (box: Uint8Array) => openSecret(box, domainId, masterSecrets());
  const current = open(secret);
  if (current === null) return null;
  return [current, ...previousSecrets.map(open).filter((text) => text !== null)];
}

/**
 * Any 2xx response is a success and 410 disables the endpoint. Otherwise there will be another attempt, unless the
 * event must be attempted only `once`.
 */
function outcomeOf(event: ClaimedEvent, result: OutboundResult) {
  const { status } = result;
  if (status !== null && status >= 200 && status < 300) {
    return { outcome: "delivered", nextAttemptAt: null } as const;
  }
  if (isGone(event, result) || event.once) {
    return { outcome: "failed", nextAttemptAt: null } as const;
  }
  const retryAfter = status === null ? null : (result.headers["retry-after"] ?? null);
  const attempts = event.tries + 1;
  const nextAttemptAt = scheduleNextAttempt({ now: now(), attempts, retryAfter, random: Math.random() });
  return { outcome: nextAttemptAt ? "retry" : "failed", nextAttemptAt } as const;
}

function isGone({ disabledAt }: ClaimedEvent, { status }: OutboundResult): boolean {
  return status === GONE || disabledAt !== null;
}

// An endpoint that accepts an event that it had refused is working again. Its other events might be scheduled hours
// later, so they become due now. Attempts in progress are excluded: their lease ends before `scheduledAfter`.
function recoveredNow() {
  const at = now();
  return { at, scheduledAfter: addSeconds(at, EVENT_LEASE_SECONDS) };
}

function errorOf(result: OutboundResult): string | null {
  if (result.status === null) return result.error;
  if (result.status >= 300 && result.status < 400) return "redirects are not followed";
  return result.cut;
}

// The database cannot store NUL.
function answerOf(result: OutboundResult): string | null {
  if (result.status === null) return null;
  const text = result.body.toString("utf8").replaceAll("\0", "\ufffd");
  return text.slice(0, STORED_RESPONSE_LIMIT_CHARACTERS).toWellFormed();
}
