import { createHash, randomBytes } from "node:crypto";
import { type Has, SiteError } from "./reference.fixture.ts";

/** Section 11 of the reference site: which browser asks, which is known, and where a login is undone. */

/** The browser that showed a code, by what it said of itself. */
export type Asking = { userAgent: string; knownWord: string };

type Answered = Asking & { sid: string; userId: number | null };

const UNDO_SECONDS = 600;

export const newKnownWord = () => randomBytes(16).toString("base64url");

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

export function openUndo(has: Has, seconds: () => number) {
  /** When a login was answered, by its undo word's hash. */
  const answered = new Map<string, { sid: string; at: number }>();
  const known = new Set<string>();
  let counter = 0;

  /** The members of the 200 other than its status. */
  function tell(origin: URL, { sid, userId, userAgent, knownWord }: Answered, ofWallet: string) {
    const word = has("short-undo") ? `undo-${counter++}` : newKnownWord();
    answered.set(hashOf(word), { sid, at: seconds() });
    const isKnown = known.has(has("word-alone-known") ? knownWord : `${knownWord} ${userId}`);
    const isNew = has("always-new-browser") || (!isKnown && !has("never-new-browser"));
    const at = has("undo-elsewhere") ? new URL("https://elsewhere.example") : origin;
    return {
      browser: { name: nameOf(has("names-wallet") ? ofWallet : userAgent) },
      ...(has("newness-untold") ? {} : { new_browser: isNew }),
      undo: `${at.origin}/webhook/undo?${new URLSearchParams({ s: sid, t: word })}`,
    };
  }

  /** Remembers that a browser has signed in to an account. */
  function remember({ knownWord, userId }: Pick<Answered, "knownWord" | "userId">): void {
    known.add(`${knownWord} ${userId}`).add(knownWord);
  }

  /** The sid of the login that a URL undoes. @throws {SiteError} 404 */
  function find(query: URLSearchParams): string {
    const [sid, word] = [query.get("s") ?? "", query.get("t") ?? ""];
    const found = answered.get(hashOf(word));
    const isOwn = found?.sid === sid || (found === undefined && has("undo-unchecked"));
    const isLate = found !== undefined && seconds() - found.at > UNDO_SECONDS;
    if (sid === "" || !isOwn || isLate) throw new SiteError(404, "session_not_found");
    if (has("undo-once")) answered.delete(hashOf(word));
    return sid;
  }

  return { tell, remember, find };
}

export function nameOf(userAgent: string): string {
  const name = /Firefox|Chrome/.exec(userAgent)?.[0] ?? "A browser";
  const system = /Linux|Windows/.exec(userAgent)?.[0];
  return system ? `${name} on ${system}` : name;
}
