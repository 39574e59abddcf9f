import { createHash, randomBytes, randomInt } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { parsePublicKey } from "../../login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "../../login/crypto/signature.ts";
import { lenientSignature, readsAlso } from "./lenient.fixture.ts";

/** The state of a correct site in memory, and the places where a fault changes it. */

export type Action = "login" | "register";
type Challenge = { text: string; sid: string; action: Action; issuedAt: number; used: boolean };
type Login = {
  sid: string;
  secret: string;
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  redeemed: boolean;
  attempt: string | null;
  wanted: string | null;
};

export class SiteError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message = "See the documentation.") {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export class ReferenceLogin {
  readonly origin: () => URL;
  readonly has: (fault: string) => boolean;
  readonly #logins = new Map<string, Login>();
  readonly #challenges = new Map<string, Challenge>();
  readonly #users = new Map<string, number>();
  readonly #sessions = new Map<string, { userId: number; secret: string }>();
  #offsetSeconds = 0;
  #counter = 0;

  constructor(origin: () => URL, has: (fault: string) => boolean) {
    this.origin = origin;
    this.has = has;
  }

  get seconds(): number {
    return Date.now() / 1000 + this.#offsetSeconds;
  }

  advance(seconds: number): void {
    this.#offsetSeconds += seconds;
  }

  issue(query: URLSearchParams, secret: string | null, host: string) {
    const mode = query.get("mode") ?? (this.has("default-register") ? "register" : "login");
    if (mode !== "login" && mode !== "register" && !this.has("any-mode"))
      throw new SiteError(400, "invalid_request");
    if (query.has("intent") && !this.has("intent-ignored")) throw new SiteError(400, "invalid_request");
    const action = (this.has("one-action") ? "login" : mode) as Action;
    const login = this.#loginFor(query.get("sid"), secret);
    login.wanted = query.get("callbackUrl");
    if (login.status === "unregistered" && !this.has("stays-unregistered")) login.status = "pending";
    if (this.has("refresh-kills")) {
      for (const challenge of this.#challenges.values())
        if (challenge.sid === login.sid) challenge.used = true;
    }
    if (this.has("refresh-prolongs")) {
      for (const challenge of this.#challenges.values())
        if (challenge.sid === login.sid) challenge.issuedAt = this.seconds;
    }
    const issuedAt = this.seconds;
    const text = this.#challengeText(action, Math.floor(issuedAt), host);
    this.#challenges.set(text, { text, sid: login.sid, action: mode as Action, issuedAt, used: false });
    return { login, text, action: mode as Action, issuedAt: Math.floor(issuedAt) };
  }

  #challengeText(action: Action, timestamp: number, host: string): string {
    const { hostname } = this.origin();
    const domain = this.has("domain-from-host")
      ? host
      : this.has("domain-upper")
        ? hostname.toUpperCase()
        : hostname;
    const time = this.has("milliseconds")
      ? timestamp * 1000
      : this.has("clock-ahead")
        ? timestamp + 60
        : timestamp;
    const tail = this.has("extra-part") ? ":v1" : "";
    return `svc:${action}:${domain}${this.has("domain-port") ? ":3000" : ""}:${time}:${this.#nonce()}${tail}`;
  }

  #nonce(): string {
    if (this.has("short-nonce")) return randomBytes(8).toString("hex");
    if (this.has("hex-nonce")) return randomBytes(16).toString("hex");
    if (this.has("counter-nonce"))
      return `AbCdEfGhIjKlMnOpQrStUvWx${String(this.#counter++).padStart(8, "0")}`;
    if (this.has("repeated-nonce") && this.#counter++ % 2) return "7hZq0RkT4nVbXw2LmYc8JdEfGpSsUa19";
    return Array.from({ length: 32 }, () => ALPHABET[randomInt(62)]).join("");
  }

  #loginFor(sid: string | null, secret: string | null): Login {
    const known = sid === null ? undefined : this.#logins.get(sid);
    const owns = known && (this.has("refresh-by-sid") || known.secret === secret);
    if (
      known &&
      owns &&
      !this.has("no-refresh") &&
      (known.status !== "authenticated" || this.has("refresh-revives"))
    ) {
      if (known.status === "authenticated") known.status = "pending";
      return known;
    }
    const isOurs = secret !== null && [...this.#logins.values()].some((login) => login.secret === secret);
    const own: Login = {
      sid: sid !== null && !known && this.has("sid-adopted") ? sid : this.#newSid(),
      secret: secret !== null && (isOurs || this.has("secret-adopted")) ? secret : this.#newSecret(),
      ...{ status: "pending", userId: null, redeemed: false, attempt: null, wanted: null },
    };
    if (this.has("secret-is-sid")) own.secret = createHash("sha256").update(own.sid).digest("base64url");
    this.#logins.set(own.sid, own);
    return own;
  }

  #newSid(): string {
    if (this.has("short-sid")) return randomBytes(6).toString("base64url");
    if (this.has("counter-sid")) return `session-000000000000000000${this.#counter++}`;
    return randomBytes(24).toString("base64url");
  }

  #newSecret(): string {
    if (this.has("short-secret")) return randomBytes(8).toString("base64url");
    if (this.has("one-secret")) return "s".repeat(43);
    return randomBytes(32).toString("base64url");
  }

  /** Judges a response in the order of docs/protocol.md#32-post-webhooklogin-post-webhookregister. */
  async accept(action: Action, body: Record<string, unknown>): Promise<void> {
    const { public_key: keyText, signature, challenge: given, timestamp } = body as Record<string, string>;
    const text = readsAlso(String(given), this.has);
    const key = this.#readKey(String(keyText));
    const signed = key !== null && this.#verify(key, String(signature), String(given));
    if (this.has("signature-first") && !signed) throw new SiteError(406, "invalid_signature");
    const registers = action === "register" || this.has("login-registers");
    if (this.has("user-first") && !registers && (key === null || !this.#users.has(key))) {
      throw new SiteError(404, "user_not_found");
    }
    const challenge = this.#find(text, String(given));
    const now = this.has("wallet-clock") ? Number(timestamp) : this.seconds;
    const lifetime = this.has("lives-5-minutes") ? 300 : this.has("lives-20-seconds") ? 20 : 30;
    const expires =
      !this.has("never-expires") && !(this.has("register-never-expires") && action === "register");
    const isOther = challenge && challenge.action !== action && !this.has("other-action-accepted");
    if (!challenge || isOther || (challenge.used && !this.has("used-twice")))
      throw new SiteError(408, "challenge_expired");
    if (expires && challenge.issuedAt + lifetime < now) throw new SiteError(408, "challenge_expired");
    const login = this.#logins.get(challenge.sid);
    if (
      !login ||
      (login.status === "authenticated" && !this.has("used-twice") && !this.has("second-code-wins"))
    ) {
      throw new SiteError(408, "challenge_expired");
    }
    if (this.has("slow-spend")) await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.has("refusal-spends")) challenge.used = true;
    if (this.has("user-before-signature") && key) login.userId = this.#users.get(key) ?? null;
    if (key === null || (!signed && !this.has("unsigned"))) {
      if (this.has("refusal-unregisters")) login.status = "unregistered";
      throw new SiteError(406, "invalid_signature");
    }
    if (this.has("unknown-key-spends")) challenge.used = true;
    const user = this.#users.get(key);
    if (user === undefined && !registers) {
      if (!this.has("never-unregistered")) login.status = "unregistered";
      if (this.has("unregistered-signs-in")) login.userId = 0;
      throw new SiteError(404, "user_not_found");
    }
    if (user !== undefined && action === "register" && this.has("register-conflict")) {
      throw new SiteError(409, "already_registered");
    }
    challenge.used = true;
    const isNew = user === undefined || (this.has("always-new-user") && action === "register");
    const userId = isNew ? this.#users.size + 1 + this.#counter++ : user;
    if (isNew) this.#users.set(key, userId);
    const others = this.has("all-pending")
      ? [...this.#logins.values()].filter((each) => each.status === "pending")
      : [];
    for (const each of [login, ...others]) {
      if (this.has("status-late")) continue;
      Object.assign(each, { status: "authenticated", userId: this.has("one-user") ? 1 : userId });
    }
  }

  #find(text: string, given: string): Challenge | undefined {
    const exact = this.#challenges.get(text);
    if (exact) return exact;
    const all = [...this.#challenges.values()];
    if (this.has("found-by-nonce")) return all.find((each) => each.text.slice(-32) === given.slice(-32));
    if (this.has("never-looked-up") && given.startsWith(`svc:login:${this.origin().hostname}:`))
      return all.at(-1);
    return undefined;
  }

  #readKey(text: string): string | null {
    if (this.has("keys-as-sent")) return parsePublicKey(text) ? text : null;
    if (this.has("no-compressed") && text.length !== 130) return null;
    if (this.has("lower-case-keys") && text !== text.toLowerCase()) return null;
    if (this.has("hybrid-keys") && /^0[67]/.test(text))
      return parsePublicKey(`04${text.slice(2)}`)?.hex ?? null;
    if (this.has("trimmed-keys")) return parsePublicKey(text.trim())?.hex ?? null;
    if (this.has("key-throws") && !parsePublicKey(text)) throw new TypeError("Bad point");
    return parsePublicKey(text)?.hex ?? null;
  }

  #verify(key: string, signature: string, challenge: string): boolean {
    const publicKey = parsePublicKey(key);
    if (!publicKey) return false;
    const text = this.has("lower-case-hex") && signature !== signature.toLowerCase() ? "" : signature;
    const parsed = parseDerSignature(text) ?? lenientSignature(text, this.has);
    if (!parsed) return false;
    const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
    const s = BigInt(`0x${Buffer.from(parsed.subarray(32)).toString("hex")}`);
    if (this.has("low-s-only") && s > half) return false;
    if (this.has("high-s-only") && s <= half) return false;
    if (this.has("fixed-length") && !/^30..02(20|21)/i.test(text)) return false;
    if (verifySignature({ publicKey, signature: parsed, message: challenge })) return true;
    if (!this.has("hashed-twice-too")) return false;
    const once = createHash("sha256").update(challenge).digest();
    const twice = createHash("sha256").update(once).digest();
    return secp256k1.verify(parsed, twice, publicKey.bytes, { prehash: false, lowS: false });
  }

  check(sid: string | null) {
    const login = sid === null ? undefined : this.#logins.get(sid);
    if (sid === null && !this.has("no-sid-pending")) throw new SiteError(400, "invalid_request");
    if (!login) {
      if (this.has("unknown-sid-pending") || sid === null) return { status: "pending" };
      throw new SiteError(404, this.has("wrong-404") ? "not_found" : "session_not_found");
    }
    if (login.status !== "authenticated") {
      const leak = this.has("pending-leaks") ? { mode: "login", secret: login.secret } : {};
      const user =
        login.userId !== null && this.has("user-before-signature") ? { user_id: login.userId } : {};
      return { status: login.status, ...leak, ...user };
    }
    const wanted = this.has("open-redirect") ? login.wanted : null;
    return {
      status: "authenticated",
      user_id: this.has("text-user-id") ? String(login.userId) : login.userId,
      redirect: wanted || (this.has("absolute-redirect") ? "https://evil.example/dashboard" : "/dashboard"),
      ...(this.has("status-leaks") ? { public_key: "04" } : {}),
    };
  }

  /** Redeems a login. @returns the token of a new session; null where nobody is signed in */
  async redeem(sid: string, secret: string | null, attempt: string | null, present: string | null) {
    const login = this.#logins.get(sid);
    if (
      !login ||
      (login.status !== "authenticated" && !this.has("signs-in-pending") && login.userId === null)
    )
      return null;
    if (
      login.status !== "authenticated" &&
      !this.has("signs-in-pending") &&
      !this.has("unregistered-signs-in")
    )
      return null;
    const anyCookie = this.has("any-cookie") && secret !== null;
    const isAttempt = this.has("attempt-proves") && attempt !== null && login.attempt === attempt;
    if (login.secret !== secret && !this.has("sid-signs-in") && !anyCookie && !isAttempt) return null;
    if (this.has("slow-redeem")) await new Promise((resolve) => setTimeout(resolve, 5));
    const repeats = attempt !== null && login.attempt === attempt && !this.has("no-attempt");
    if (login.redeemed && !repeats && !this.has("redeemed-twice")) return null;
    if (this.has("slow-redeem")) await new Promise((resolve) => setTimeout(resolve, 5));
    login.redeemed = true;
    login.attempt = attempt;
    const token =
      present !== null && this.has("token-kept") ? present : randomBytes(32).toString("base64url");
    this.#sessions.set(token, {
      userId: this.has("wrong-user") ? 1 : (login.userId ?? 0),
      secret: login.secret,
    });
    return token;
  }

  userOf(token: string | null): number | null {
    return token === null ? null : (this.#sessions.get(token)?.userId ?? null);
  }

  signOut(token: string | null): void {
    const session = token === null ? undefined : this.#sessions.get(token);
    if (token !== null && !this.has("token-lives-on")) this.#sessions.delete(token);
    for (const login of this.#logins.values()) {
      if (!session || login.secret !== session.secret) continue;
      if (login.status === "authenticated" ? this.has("answered-kept") : this.has("pending-kept")) continue;
      this.#logins.delete(login.sid);
    }
  }

  knows(sid: string | null, secret: string | null): boolean {
    const login = sid === null ? undefined : this.#logins.get(sid);
    return login !== undefined && (login.secret === secret || this.has("stream-for-all"));
  }

  secretOf(sid: string): string | null {
    return this.#logins.get(sid)?.secret ?? null;
  }
}
