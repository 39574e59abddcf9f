import { isLoopback } from "./host-name.ts";
import { deviceOnline, requestSite, type Surroundings } from "./request-site.ts";
import { ATTEMPT_TIMEOUT_SECONDS, type SendResult } from "./send-response.ts";

/** A site takes a login back for this long after it accepted the answer. */
export const UNDO_SECONDS = 10 * 60;

/** Whether `url` may be posted to: https, or this very machine. */
export function isUndoUrl(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: "", hostname: "" };
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/**
 * Takes a login back: the browser that it signed in is signed out (docs/protocol.md#112-after-signing). Never throws.
 * @param undo as the site's own answer gave it
 * @returns how it ended: `advice` says what to do next, `status` is 0 where no answer came
 */
export async function undoLogin(
  undo: string,
  { fetch, online = deviceOnline }: Surroundings = {},
): Promise<Pick<SendResult, "ok" | "status" | "advice">> {
  if (!online())
    return { ok: false, status: 0, advice: "This device is offline. Connect it, then try again." };
  try {
    const deadlineSeconds = ATTEMPT_TIMEOUT_SECONDS;
    const { response, status } = await requestSite(undo, { fetch, method: "POST", deadlineSeconds });
    await response.body?.cancel();
    return { ok: status === 200, status, advice: explainUndo(status) };
  } catch {
    return { ok: false, status: 0, advice: explainUndo(0) };
  }
}

const ON_THE_SITE = "open the site in your own browser, and sign that browser out there";

function explainUndo(status: number): string {
  if (status === 200) return "It is signed out.";
  if (status === 404 || status === 410) {
    return `It is too late to sign it out from here: that works for ten minutes. Instead, ${ON_THE_SITE}.`;
  }
  if (status === 429) return "Too many tries. Wait a minute, then try again.";
  return `The site did not do it. Try again; if that does not help, ${ON_THE_SITE}.`;
}
