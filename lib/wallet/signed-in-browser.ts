/** The browser that an accepted answer signed in, as the site tells it (docs/protocol.md#112-after-signing). */
export type SignedInBrowser = {
  name: string;
  /** It has not signed in to this account before. */
  isNew: boolean;
  /** A POST there takes the login back; null where the site offers none on the webhook's own origin. */
  undo: string | null;
};

const MAX_NAME_CHARACTERS = 100;
const MAX_URL_CHARACTERS = 2048;
// No control, format (bidi) or unassigned character, and no break of a line: a name cannot pass for other words.
const PLAIN_LINE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** A member of a stranger's JSON; undefined where there is none of its own. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The name in `{"name": …}`; null for one that is missing, too long, or not fit to be shown. */
export function readBrowserName(browser: unknown): string | null {
  const name = field(browser, "name");
  if (typeof name !== "string" || name.trim() === "" || !PLAIN_LINE.test(name)) return null;
  return Array.from(name).length <= MAX_NAME_CHARACTERS ? name.trim() : null;
}

/**
 * Reads what the body of a 200 says of the browser.
 * @returns undefined where the site does not tell, or tells it in another form
 */
export function readSignedInBrowser(body: unknown, webhook: string): SignedInBrowser | undefined {
  const name = readBrowserName(field(body, "browser"));
  const isNew = field(body, "new_browser");
  if (name === null || typeof isNew !== "boolean") return undefined;
  return { name, isNew, undo: readUndo(field(body, "undo"), webhook) };
}

/** An answer must not send the wallet to a host that nobody checked. */
function readUndo(undo: unknown, webhook: string): string | null {
  if (typeof undo !== "string" || undo.length > MAX_URL_CHARACTERS || !VISIBLE_ASCII.test(undo)) return null;
  const url = URL.canParse(undo) ? new URL(undo) : null;
  if (url?.origin !== new URL(webhook).origin || url.username !== "" || url.password !== "") return null;
  return url.href;
}
