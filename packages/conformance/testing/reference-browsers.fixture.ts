import { createHash, randomBytes } from "node:crypto";
import { type HasFault, type PlantedFaults, TestClock, waitTurns } from "./reference.fixture.ts";
import type { Headers } from "./reference-answers.fixture.ts";

/** `secret` belongs to the browser that started the login. */
export type BoundLogin = { sid: string; secret: string; redeemed: boolean; attempt: string | null };

/** Long enough for simultaneous requests to arrive, even in a busy process. */
export const waitBriefly = () => waitTurns(50);

/** In memory. Planted faults change how logins and sessions work. */
export abstract class ReferenceBrowsers<Login extends BoundLogin> extends TestClock {
  readonly #planted: PlantedFaults;
  readonly has: HasFault;
  protected readonly logins = new Map<string, Login>();
  protected readonly users = new Map<string, number>();
  readonly #sessions = new Map<string, { userId: number; secret: string; sid: string }>();
  protected counter = 0;

  constructor(planted: PlantedFaults) {
    super();
    this.#planted = planted;
    this.has = planted.has;
  }

  get origin(): URL {
    return this.#planted.origin;
  }

  protected abstract newSid(): string;
  protected abstract begin(bound: BoundLogin): Login;
  /** Whether the site issues another code for this login. `isOwn`: the request comes from the login's own browser. */
  protected abstract continues(login: Login, isOwn: boolean): boolean;
  protected abstract isAnswered(login: Login): boolean;
  /** Null if the login does not sign in any user. */
  protected abstract userBy(login: Login): number | null;

  /** Starts a new login if necessary. */
  protected loginFor(
    sid: string | null,
    secret: string | null,
    adopts = () => this.has("sid-adopted"),
  ): Login {
    const existing = sid === null ? undefined : this.logins.get(sid);
    if (existing && this.continues(existing, existing.secret === secret)) return existing;
    const isOurs = secret !== null && [...this.logins.values()].some((login) => login.secret === secret);
    const own = this.begin({
      sid: sid !== null && !existing && adopts() ? sid : this.newSid(),
      secret: secret !== null && (isOurs || this.has("secret-adopted")) ? secret : this.#newSecret(),
      ...{ redeemed: false, attempt: null },
    });
    if (this.has("secret-is-sid")) own.secret = createHash("sha256").update(own.sid).digest("base64url");
    this.logins.set(own.sid, own);
    return own;
  }

  #newSecret(): string {
    if (this.has("short-secret")) return randomBytes(8).toString("base64url");
    if (this.has("one-secret")) return "s".repeat(43);
    return randomBytes(32).toString("base64url");
  }

  /** @returns the token of a new session, or null if the site refuses the login */
  async redeem(
    sid: string,
    secret: string | null,
    present: string | null,
    attempt: string | null = null,
  ): Promise<string | null> {
    const { has } = this;
    const login = this.logins.get(sid);
    const userId = login ? this.userBy(login) : null;
    if (!login || userId === null) return null;
    const isAttempt = attempt !== null && login.attempt === attempt;
    if (login.secret !== secret) {
      if (has("thief-spends")) login.redeemed = true;
      const isAnswered = [...this.logins.values()].some(
        (own) => own.secret === secret && this.userBy(own) !== null && has("any-answered-cookie"),
      );
      const isTaken =
        has("sid-signs-in") ||
        isAnswered ||
        (secret === "" && has("empty-cookie")) ||
        (secret !== null && has("any-cookie"));
      if (!isTaken && !(isAttempt && has("attempt-proves"))) return null;
    }
    if (has("slow-redeem")) await waitBriefly();
    const repeats = attempt !== null && login.attempt === attempt && !has("no-attempt");
    if (login.redeemed && !repeats && !has("redeemed-twice")) return null;
    if (has("slow-redeem")) await waitBriefly();
    login.redeemed = true;
    login.attempt = attempt;
    const payload = has("token-holds-sid") ? sid : has("token-holds-secret") ? login.secret : "";
    const fresh = randomBytes(32).toString("base64url") + payload;
    const token = present !== null && has("token-kept") ? present : fresh;
    this.#sessions.set(token, { userId, secret: login.secret, sid });
    return token;
  }

  userOf(token: string | null): number | null {
    return token === null ? null : (this.#sessions.get(token)?.userId ?? null);
  }

  /** Null at paths other than NextAuth's. */
  nextAuth(path: string, token: string | null, binding: string): [body: object, headers?: Headers] | null {
    switch (path) {
      case "/api/auth/csrf":
        return [{ csrfToken: "token" }];
      case "/api/auth/session": {
        const user = this.userOf(token);
        return [user === null ? {} : { user: { id: user } }];
      }
      case "/api/auth/signout": {
        this.#signOut(token);
        const removedCookies = [sessionCookie("", this.has, 0)];
        if (!this.has("binding-kept")) removedCookies.push(`${binding}=; Path=/; Max-Age=0`);
        return [{ url: this.origin.origin }, { "Set-Cookie": removedCookies }];
      }
      default:
        return null;
    }
  }

  /** Also ends the logins of the browser in which the session was opened. */
  #signOut(token: string | null): void {
    const secret = token === null ? null : this.#sessions.get(token)?.secret;
    if (token !== null && !this.has("token-lives-on")) this.#sessions.delete(token);
    for (const login of this.logins.values()) {
      if (login.secret !== secret) continue;
      if (this.isAnswered(login) ? this.has("answered-kept") : this.has("pending-kept")) continue;
      this.logins.delete(login.sid);
    }
  }

  protected endSessions(ends: (session: { userId: number; sid: string }) => boolean): void {
    for (const [token, session] of this.#sessions) if (ends(session)) this.#sessions.delete(token);
  }

  secretOf(sid: string): string | null {
    return this.logins.get(sid)?.secret ?? null;
  }
}

// Planted faults change the contents of these codes and cookies.

export const SESSION_COOKIE = "next-auth.session-token";
export const KNOWN_COOKIE = "svc-known-browser";

/** This cookie alone never signs a browser in. */
export function knownCookie(word: string): string {
  return `${KNOWN_COOKIE}=${word}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`;
}

export function bindingCookie(name: string, value: string, has: HasFault): string {
  const parts = [
    `${name}=${value}`,
    `Path=${has("narrow-path") ? "/api" : "/"}`,
    `Max-Age=${has("long-cookie") ? 31_536_000 : 600}`,
    ...(has("script-cookie") ? [] : ["HttpOnly"]),
    `SameSite=${has("samesite-none") ? "None" : "Lax"}`,
    ...(has("cookie-domain") ? ["Domain=localhost"] : []),
    ...(name.startsWith("__Host-") ? ["Secure"] : []),
  ];
  return parts.join("; ");
}

export function sessionCookie(value: string, has: HasFault, maxAge = 3600): string {
  const attributes = has("script-session") ? "SameSite=Lax" : "HttpOnly; SameSite=Lax";
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`;
}

export type CodeParts = {
  origin: URL;
  path: string;
  sid: string;
  challenge: string;
  issuedAt: number;
  intent: string | null;
  secret: string;
};

/** docs/protocol.md#12-qr-payload. */
export function writePayload(parts: CodeParts, qrFormat: "https" | undefined, has: HasFault): string {
  const { origin, path, sid, challenge, issuedAt, intent, secret } = parts;
  const webhook = (has("webhook-elsewhere") ? "https://elsewhere.example" : origin.origin) + path;
  const intentPart: Record<string, string> = intent === null ? {} : { intent };
  if (qrFormat === "https")
    return `${webhook}?${new URLSearchParams({ s: sid, c: challenge, ...intentPart })}`;
  const fields = new URLSearchParams({
    webhook,
    session: has("payload-other-sid") ? "other" : sid,
    challenge: has("payload-other-challenge") ? challenge.toUpperCase() : challenge,
    ts: String(has("payload-other-ts") ? issuedAt + 30 : issuedAt),
    ...intentPart,
  });
  if (has("payload-twice")) fields.append("webhook", webhook);
  if (has("payload-secret")) fields.set("token", secret);
  return `${has("other-scheme") ? "wallet://login" : "svc://auth"}?${fields}`;
}
