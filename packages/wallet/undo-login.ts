import { linksKey, type Purpose } from "./purpose.ts";
import { ATTEMPT_TIMEOUT_SECONDS, type SendResult } from "./send-response.ts";
import { isDeviceOnline, type RequestEnvironment, sendSiteRequest } from "./send-site-request.ts";
import { isLoopback, parseUrl } from "./url.ts";

/** After the site has accepted the answer. */
export const UNDO_SECONDS = 10 * 60;

/** The URL must use HTTPS or refer to this machine. */
export function isAllowedUndoUrl(url: string): boolean {
  const { protocol, hostname } = parseUrl(url) ?? { protocol: "", hostname: "" };
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/**
 * The site signs out the browser that the login signed in (docs/protocol.md#112-after-signing). Never throws.
 * @param undo the URL from the site's response
 * @param purpose the purpose of the answered code, or undefined if the purpose is no longer known
 * @returns `advice` says what to do next, and `status` is 0 if there was no response
 */
export async function undoLogin(
  undo: string,
  purpose?: Purpose,
  { fetch, online = isDeviceOnline }: RequestEnvironment = {},
): Promise<Pick<SendResult, "ok" | "status" | "advice">> {
  if (!online())
    return { ok: false, status: 0, advice: "This device is offline. Connect it, then try again." };
  try {
    const deadlineSeconds = ATTEMPT_TIMEOUT_SECONDS;
    const { response, status } = await sendSiteRequest(undo, { fetch, method: "POST", deadlineSeconds });
    await response.body?.cancel();
    return { ok: status === 200, status, advice: explainUndo(status, purpose) };
  } catch {
    return { ok: false, status: 0, advice: explainUndo(0, purpose) };
  }
}

const ON_THE_SITE = "open the site in your own browser, and sign that browser out there";

const KEY_STAYS = "stays until it is removed on the account's page.";

/** A key that was linked to an account stays linked. */
export function explainUndoEffect(purpose?: Purpose): string {
  if (purpose === undefined) {
    return `That browser is signed out. If this answer linked a key to an account and the key was confirmed, it ${KEY_STAYS}`;
  }
  if (!linksKey(purpose)) return "That browser is signed out.";
  return `The answer has been undone. If the key was already confirmed and can now sign in to the account, it ${KEY_STAYS}`;
}

function explainUndo(status: number, purpose?: Purpose): string {
  if (status === 200) return explainUndoEffect(purpose);
  if (status === 404 || status === 410) {
    return `There is nothing left to undo. The login has ended, or it is more than ten minutes old. If that browser is signed in, ${ON_THE_SITE}.`;
  }
  if (status === 429) return "Too many attempts. Wait a minute, then try again.";
  return `The site did not undo the sign-in. Try again; if that does not help, ${ON_THE_SITE}.`;
}
