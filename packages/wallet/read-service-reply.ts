import type { Payload } from "./read-payload.ts";
import { parseJson, readFirstBytes, readOwnField } from "./send-site-request.ts";
import { parseUrl } from "./url.ts";

const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_MESSAGE_CHARACTERS = 300;
const MAX_NAME_CHARACTERS = 100;
const MAX_URL_CHARACTERS = 2048;
// Control, format (bidi) and unassigned characters could make a name imitate other text.
const PLAIN_LINE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

export type ServiceReply = {
  /** `error.code` of the JSON body (docs/protocol.md#21-errors), or "". */
  code: string;
  /** `error.message`, or a plain-text body, sanitised for display; "" if there is none. */
  message: string;
  /** Absent if the service does not report which browser the accepted answer signed in. */
  signedIn?: SignedInBrowser;
};

/** As the site reports it (docs/protocol.md#112-after-signing). */
export type SignedInBrowser = {
  name: string;
  /** The browser has not signed in to this account before. */
  isNew: boolean;
  /** A POST to this URL undoes the login. Null if the site offers no such URL on the webhook's own origin. */
  undo: string | null;
};

/**
 * The service is not trusted, so the wallet reads at most 16 KB, and the message is one line of at most 300 characters
 * without control and bidi characters. HTML is not shown.
 */
export async function readServiceReply(response: Response, webhook: string): Promise<ServiceReply> {
  const type = response.headers.get("content-type") ?? "";
  const bytes = await readFirstBytes(response, MAX_ANSWER_BYTES);
  if (/^text\/plain\b/i.test(type))
    return { code: "", message: displayable(new TextDecoder().decode(bytes)) };
  if (!/^application\/(?:[a-z.-]+\+)?json\b/i.test(type)) return { code: "", message: "" };
  const body = parseJson(bytes, { fatal: false });
  const error = readOwnField(body, "error");
  const [code, message] = [
    readOwnField(error, "code"),
    typeof error === "string" ? error : readOwnField(error, "message"),
  ];
  return {
    code: typeof code === "string" && /^[a-z_]{1,64}$/.test(code) ? code : "",
    message: typeof message === "string" ? displayable(message) : "",
    signedIn: response.status === 200 ? readSignedInBrowser(body, webhook) : undefined,
  };
}

/** Control, format (bidi) and unassigned characters are removed, so that the line cannot disguise itself. */
function displayable(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_MESSAGE_CHARACTERS) return line;
  return `${characters.slice(0, MAX_MESSAGE_CHARACTERS - 1).join("")}…`;
}

/** @returns undefined if the site does not report the browser, or reports it in another format */
export function readSignedInBrowser(body: unknown, webhook: string): SignedInBrowser | undefined {
  const name = readBrowserName(readOwnField(body, "browser"));
  const isNew = readOwnField(body, "new_browser");
  if (name === null || typeof isNew !== "boolean") return undefined;
  return { name, isNew, undo: readUndo(readOwnField(body, "undo"), webhook) };
}

/** Null if the name is missing, too long, or not displayable. */
export function readBrowserName(browser: unknown): string | null {
  const name = readOwnField(browser, "name");
  if (typeof name !== "string" || name.trim() === "" || !PLAIN_LINE.test(name)) return null;
  return Array.from(name).length <= MAX_NAME_CHARACTERS ? name.trim() : null;
}

/**
 * Null if the URL's origin differs from the webhook's, so that a response cannot send the wallet to an unchecked host.
 */
function readUndo(undo: unknown, webhook: string): string | null {
  if (typeof undo !== "string" || undo.length > MAX_URL_CHARACTERS || !VISIBLE_ASCII.test(undo)) return null;
  const url = parseUrl(undo);
  if (url?.origin !== new URL(webhook).origin || url.username !== "" || url.password !== "") return null;
  return url.href;
}

export type ServiceResponse = Omit<ServiceReply, "message"> & {
  status: number;
  /** In seconds, if the service sent a valid `Retry-After`. */
  retryAfter: number | null;
  /** An earlier attempt got no response, although the site may have accepted it. */
  unsure: boolean;
};

const NEW_CODE = "Use the new code on the login page.";
const GO_BACK = "Go back to the page that showed the code: it";

/** What the browser does after an accepted answer. */
const EFFECTS: Record<Payload["purpose"], string> = {
  login: "is being signed in",
  register: "is being signed in",
  approve: "continues with the change",
  add: "asks you to confirm",
  recover: "asks you to confirm",
};

/** For each status in docs/protocol.md#32-post-webhooklogin-post-webhookregister, what the user should do next. */
export function explainServiceResponse(
  { kind, purpose }: Pick<Payload, "kind" | "purpose">,
  { status, code, retryAfter, unsure, signedIn }: ServiceResponse,
): string {
  switch (status) {
    case 200:
      return approvedText(purpose, signedIn);
    case 400:
      // Fast login returns 400 for a challenge that is unknown, used or too old, where other flows return 408.
      if (kind === "fast") return ranOut(unsure);
      return "The site could not read this answer. Get a new code; if it happens again, this wallet and this site are not compatible.";
    case 404:
      return purpose === "register" || code === "session_not_found" || code === "not_found"
        ? `The site no longer knows this login. ${NEW_CODE}`
        : "This site does not know this wallet yet: open its register page and use the code there. If you do have an account, it belongs to another phrase or account number.";
    case 401:
    case 406:
      return code === "intent_mismatch" ? CHANGED_ON_ITS_WAY : notAccepted(purpose);
    case 408:
      return ranOut(unsure);
    case 409:
    case 410:
      return `This login has ended. ${NEW_CODE}`;
    case 413:
    case 415:
      return "The site does not accept this wallet's kind of response. Contact the people who run the site.";
    case 429:
      return `Too many attempts. Wait ${retryAfter ? `${retryAfter} seconds` : "a minute"}, then get a new code.`;
    default:
      return otherStatus(status);
  }
}

const CHANGED_ON_ITS_WAY =
  "This code was changed on its way to you: it asks for something other than this wallet showed. Nothing was done. Open the site yourself and scan the code there; decline codes that others send or show you.";

function approvedText(purpose: Payload["purpose"], signedIn: ServiceResponse["signedIn"]): string {
  if (signedIn) {
    return `Approved. ${signedIn.name} ${EFFECTS[purpose]}.${signedIn.isNew ? " It is new to your account." : ""}`;
  }
  const isReady = purpose === "register" ? " Your account is ready." : "";
  return `Approved.${isReady} ${GO_BACK} ${EFFECTS[purpose]}.`;
}

function notAccepted(purpose: Payload["purpose"]): string {
  if (purpose === "approve") {
    return `The site did not accept this key for the change: only a key that belongs to the account can approve it. ${NEW_CODE}`;
  }
  if (purpose === "recover") {
    return "The site did not accept this key for the recovery, because the key already belongs to an account. Use a different account number of this wallet, or a different wallet.";
  }
  return `The site did not accept the signature. ${NEW_CODE} If it happens again, this wallet does not work with this site.`;
}

function otherStatus(status: number): string {
  if (status >= 500) return "The site has a problem. Wait a moment, then get a new code.";
  if (status >= 300 && status < 400) {
    return "The site tried to redirect the answer, which a wallet does not follow. Contact the people who run the site.";
  }
  return "The site gave an answer that does not belong to a login. Get a new code; if it happens again, tell the people who run it.";
}

function ranOut(unsure: boolean): string {
  return unsure
    ? `Look at the page that showed the code: an earlier attempt may have signed it in. If not, the code has expired. ${NEW_CODE}`
    : `The code has expired or was already used. ${NEW_CODE}`;
}
