import type { Purpose } from "./purpose.ts";
import { field, readSignedInBrowser, type SignedInBrowser } from "./signed-in-browser.ts";

const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_MESSAGE_CHARACTERS = 300;

/** What a service said in the body of its answer. */
export type ServiceWords = {
  /** `error.code` of the JSON body (docs/protocol.md#21-errors), or "". */
  code: string;
  /** `error.message`, or a plain-text body, fit to be shown; "" when there is none. */
  message: string;
  /** The browser that a 200 signed in, where the service tells. */
  signedIn?: SignedInBrowser;
};

/**
 * Reads a service's words from its answer. The service is a stranger: at most 16 KB are read, and what
 * is shown is one line without control and bidi characters, 300 characters at most. HTML is not shown.
 */
export async function readAnswer(response: Response, webhook: string): Promise<ServiceWords> {
  const type = response.headers.get("content-type") ?? "";
  const text = new TextDecoder().decode(await readStart(response, MAX_ANSWER_BYTES));
  if (/^text\/plain\b/i.test(type)) return { code: "", message: displayable(text) };
  if (!/^application\/(?:[a-z.-]+\+)?json\b/i.test(type)) return { code: "", message: "" };
  const body = parse(text);
  const error = field(body, "error");
  const [code, message] = [field(error, "code"), typeof error === "string" ? error : field(error, "message")];
  return {
    code: typeof code === "string" && /^[a-z_]{1,64}$/.test(code) ? code : "",
    message: typeof message === "string" ? displayable(message) : "",
    signedIn: response.status === 200 ? readSignedInBrowser(body, webhook) : undefined,
  };
}

/** One line that cannot disguise itself: no control, format (bidi) or unassigned characters. */
function displayable(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_MESSAGE_CHARACTERS) return line;
  return `${characters.slice(0, MAX_MESSAGE_CHARACTERS - 1).join("")}…`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What a service answered, before it is put into words. */
export type Answer = {
  /** HTTP status. */
  status: number;
  /** `error.code` of a JSON answer (docs/protocol.md#21-errors), or "". */
  code: string;
  /** `Retry-After` in seconds, when the service sent one that can be read. */
  retryAfter: number | null;
  purpose: Purpose;
  /** Fast login's statuses differ. */
  fast: boolean;
  /** True when an earlier try got no answer: it may have been accepted all the same. */
  unsure: boolean;
  /** The browser that is signed in, where the service tells. */
  signedIn?: SignedInBrowser;
};

const NEW_CODE = "Take the new code from the login page.";

const DONE: Record<Purpose, string> = {
  login: "Approved. Go back to the page that showed the code: it is being signed in.",
  register:
    "Approved. Your account is ready. Go back to the page that showed the code: it is being signed in.",
  approve: "Approved. Go back to the page that showed the code: it goes on with the change.",
  add: "Approved. Go back to the page that showed the code: it asks you to confirm.",
  recover: "Approved. Go back to the page that showed the code: it asks you to confirm.",
};

/** What the browser does next, after its name. */
const DOES: Record<Purpose, string> = {
  login: "is being signed in",
  register: "is being signed in",
  approve: "goes on with the change",
  add: "asks you to confirm",
  recover: "asks you to confirm",
};

function explainDone(purpose: Purpose, signedIn: SignedInBrowser | undefined): string {
  if (!signedIn) return DONE[purpose];
  const isNew = signedIn.isNew ? " It is new to your account." : "";
  return `Approved. ${signedIn.name} ${DOES[purpose]}.${isNew}`;
}

/** What the person does next, in plain words, for every status of docs/protocol.md#32-post-webhooklogin-post-webhookregister. */
export function explainAnswer({ status, code, retryAfter, purpose, fast, unsure, signedIn }: Answer): string {
  switch (status) {
    case 200:
      return explainDone(purpose, signedIn);
    case 400:
      // Fast login says so what is a 408 elsewhere: its challenge is unknown, used or too old.
      if (fast) return ranOut(unsure);
      return "The site could not read this answer. Take a new code; if it happens again, this wallet and this site are not compatible.";
    case 404:
      return purpose === "register" || code === "session_not_found" || code === "not_found"
        ? `The site no longer knows this login. ${NEW_CODE}`
        : "This site does not know this wallet yet: open its register page and use the code there. If you do have an account, it belongs to another phrase or account number.";
    case 401:
    case 406:
      if (code === "intent_mismatch") {
        return "This code was changed on its way to you: it asks for something else than this wallet showed. Nothing was done. Open the site yourself and scan the code there; decline what others send or show you.";
      }
      if (purpose === "approve") {
        return `The site did not accept this key for the change: only a key that the account has can approve it. ${NEW_CODE}`;
      }
      if (purpose === "recover") {
        return "The site did not accept this key for the recovery: it opens an account already. Use another account number of this wallet, or another wallet.";
      }
      return `The site did not accept the signature. ${NEW_CODE} If it happens again, this wallet does not work with this site.`;
    case 408:
      return ranOut(unsure);
    case 409:
    case 410:
      return `This login is over. ${NEW_CODE}`;
    case 413:
    case 415:
      return "The site does not accept this wallet's kind of response. Tell the people who run it.";
    case 429:
      return `Too many tries. Wait ${retryAfter ? `${retryAfter} seconds` : "a minute"}, then take a new code.`;
    default:
      if (status >= 500) return "The site has a problem of its own. Wait a little, then take a new code.";
      if (status >= 300 && status < 400)
        return "The site tried to send the answer elsewhere, which a wallet does not follow. Tell the people who run it.";
      return "The site gave an answer that does not belong to a login. Take a new code; if it happens again, tell the people who run it.";
  }
}

function ranOut(unsure: boolean): string {
  return unsure
    ? `Look at the page that showed the code: an earlier try may have signed it in. If not, the code has run out. ${NEW_CODE}`
    : `The code has run out or was used already. ${NEW_CODE}`;
}

/** The first bytes of a body of any length: at most `limit`, so that a stranger cannot send without end. */
export async function readStart(response: Response, limit: number): Promise<Uint8Array> {
  const start = new Uint8Array(limit);
  let size = 0;
  const reader = response.body?.getReader();
  while (reader && size < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    start.set(value.subarray(0, limit - size), size);
    size += Math.min(value.length, limit - size);
  }
  await reader?.cancel();
  return start.subarray(0, size);
}
