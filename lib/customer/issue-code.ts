import type { QrAnswer } from "#lib/login/protocol/messages.ts";
import { isSid } from "#lib/login/protocol/qr-payload.ts";
import { unixSeconds } from "#lib/login/protocol/time.ts";
import { hashSecret, newSecret } from "#lib/login/server/random.ts";
import type { HostedApiClient, HostedCode } from "./hosted-api-client.ts";
import type { HostedStore } from "./store/hosted-store.ts";

/**
 * A code for a browser: a new one of its own session, while that lives; else of a new session, which is bound to it.
 * @param browser.secret the secret in its cookie
 * @returns the answer, and the secret that the cookie has to hold from now on
 * @throws {Refusal} 503 when the API gives no code
 */
export async function issueCode(
  { api, store, domain, now }: { api: HostedApiClient; store: HostedStore; domain: string; now: () => Date },
  { sid, secret }: { sid: string | null; secret: string | null },
): Promise<{ answer: QrAnswer; secret: string }> {
  const browserHash = secret === null ? null : hashSecret(secret);
  if (sid !== null && isSid(sid) && secret !== null && browserHash && (await store.find(sid, browserHash))) {
    const renewed = await api.refreshSession(sid);
    if (renewed) return { answer: answerOf(renewed), secret };
  }
  const created = await api.createSession(domain);
  const newBrowserSecret = newSecret();
  const newBrowserHash = hashSecret(newBrowserSecret);
  const { keepsSecret } = await store.start({ now: now(), sid: created.id, browserHash, newBrowserHash });
  return { answer: answerOf(created), secret: keepsSecret && secret !== null ? secret : newBrowserSecret };
}

function answerOf({ id, challenge, qr_data, expires_at }: HostedCode): QrAnswer {
  return { sid: id, challenge, qr: qr_data, expiresAt: unixSeconds(expires_at) };
}
