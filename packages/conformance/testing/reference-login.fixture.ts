import { createHash, randomBytes } from "node:crypto";
import { type Action, randomText } from "../wallet/code.ts";
import { type HasFault, invalidRequest, SiteError, waitTurns } from "./reference.fixture.ts";
import { type BoundLogin, ReferenceBrowsers, waitBriefly } from "./reference-browsers.fixture.ts";
import { expectIntent, isSigned, normaliseLaxly, readKey } from "./reference-proof.fixture.ts";

/** The state of a correct site. Planted faults change it. */

type Challenge = {
  text: string;
  sid: string;
  action: Action;
  issuedAt: number;
  used: boolean;
  intent: string | null;
};
type Login = BoundLogin & {
  asking: AskingBrowser;
  undone: boolean;
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  wanted: string | null;
};

const LIFETIME_SECONDS = 30;

export class ReferenceLogin extends ReferenceBrowsers<Login> {
  readonly #challenges = new Map<string, Challenge>();
  readonly #undo = openUndo(this.has, () => this.seconds);

  issue(
    query: URLSearchParams,
    secret: string | null,
    host: string,
    isSignedIn: boolean,
    asking: AskingBrowser,
  ) {
    const mode = query.get("mode") ?? (this.has("default-register") ? "register" : "login");
    if (mode !== "login" && mode !== "register" && !this.has("any-mode")) throw invalidRequest();
    const requestedIntent = query.get("intent");
    const isApproval = requestedIntent === "approve" && isSignedIn;
    const isIgnored = this.has("no-intents") || (this.has("intent-ignored") && !isApproval);
    const intent = isIgnored ? null : requestedIntent;
    if (intent !== null && intent !== "approve") throw invalidRequest();
    if (intent !== null && !isSignedIn) throw new SiteError(403, "approval_required");
    const action = (mode !== "login" && this.has("one-action") ? "login" : mode) as Action;
    const login = this.loginFor(query.get("sid"), secret);
    Object.assign(login, { asking, wanted: query.get("callbackUrl") });
    if (login.status === "unregistered" && !this.has("stays-unregistered")) login.status = "pending";
    const earlier = [...this.#challenges.values()].filter(({ sid }) => sid === login.sid);
    for (const challenge of earlier) {
      if (this.has("refresh-kills")) challenge.used = true;
      if (this.has("refresh-prolongs")) challenge.issuedAt = this.seconds;
    }
    const issuedAt = this.seconds;
    const isRenewal = earlier.length > 0;
    const text = this.#challengeText(action, Math.floor(issuedAt), host, isRenewal);
    const challenge = { text, sid: login.sid, action: mode as Action, issuedAt, used: false, intent };
    this.#challenges.set(text, challenge);
    return { login, text, action: mode as Action, issuedAt: Math.floor(issuedAt), isRenewal, intent };
  }

  #challengeText(action: Action, timestamp: number, host: string, isRenewal: boolean): string {
    const { hostname } = this.origin;
    const own = isRenewal && this.has("domain-upper") ? hostname.toUpperCase() : hostname;
    const domain = host !== hostname && this.has("domain-from-host") ? host : own;
    const time = this.has("milliseconds")
      ? timestamp * 1000
      : isRenewal && this.has("clock-ahead")
        ? timestamp + 60
        : timestamp;
    const tail = isRenewal && this.has("extra-part") ? ":v1" : "";
    return `svc:${action}:${domain}${isRenewal && this.has("domain-port") ? ":3000" : ""}:${time}:${this.#nonce()}${tail}`;
  }

  #nonce(): string {
    if (this.has("short-nonce")) return randomBytes(8).toString("hex");
    if (this.has("hex-nonce")) return randomBytes(16).toString("hex");
    if (this.has("counter-nonce"))
      return `AbCdEfGhIjKlMnOpQrStUvWx${String(this.counter++).padStart(8, "0")}`;
    if (this.has("repeated-nonce") && this.counter++ % 2) return "7hZq0RkT4nVbXw2LmYc8JdEfGpSsUa19";
    return randomText(32);
  }

  protected begin(bound: BoundLogin): Login {
    const asking = { userAgent: "", knownWord: "" };
    return { ...bound, asking, undone: false, status: "pending", userId: null, wanted: null };
  }

  protected continues(login: Login, isOwn: boolean): boolean {
    if ((!isOwn && !this.has("refresh-by-sid")) || this.has("no-refresh")) return false;
    if (login.status !== "authenticated") return true;
    if (!this.has("refresh-revives")) return false;
    login.status = "pending";
    return true;
  }

  protected isAnswered({ status }: Login): boolean {
    return status === "authenticated";
  }

  protected userBy({ status, userId, undone, redeemed }: Login): number | null {
    if (undone && !(this.has("undo-redeemed-alone") && !redeemed)) return null;
    const isOver = status === "authenticated" || this.has("signs-in-pending");
    if (!isOver && (userId === null || !this.has("unregistered-signs-in"))) return null;
    return this.has("wrong-user") ? 1 : (userId ?? 0);
  }

  protected newSid(): string {
    if (this.has("short-sid")) return randomBytes(6).toString("base64url");
    if (this.has("counter-sid")) return `session-000000000000000000${this.counter++}`;
    return randomBytes(24).toString("base64url");
  }

  override async redeem(...request: Parameters<ReferenceBrowsers<Login>["redeem"]>): Promise<string | null> {
    const token = await super.redeem(...request);
    const login = this.logins.get(request[0]);
    if (token !== null && login) this.#undo.remember({ ...login.asking, userId: login.userId });
    return token;
  }

  /** docs/protocol.md#111-before-signing. */
  describeAsking(action: Action, query: URLSearchParams) {
    const { has } = this;
    const [sid, text] = [query.get("s") ?? "", query.get("c") ?? ""];
    const login = this.logins.get(sid);
    const found = this.#challenges.get(text);
    const findBySid = () => [...this.#challenges.values()].find((item) => item.sid === sid);
    const challenge = found?.sid !== sid && has("asked-by-sid") ? findBySid() : found;
    const isOwn = challenge?.sid === sid && (challenge.action === action || has("asked-anywhere"));
    if (!login || !challenge || !isOwn) throw new SiteError(408, "challenge_expired");
    const { issuedAt, used, intent } = challenge;
    const isOver = used || login.status === "authenticated";
    if (isOver && !has("answered-told")) throw new SiteError(408, "challenge_expired");
    if (this.seconds - issuedAt > LIFETIME_SECONDS && !has("expired-told"))
      throw new SiteError(408, "challenge_expired");
    if (has("question-spends")) challenge.used = true;
    const { userAgent } = login.asking;
    const askedAt = has("asked-now-times") ? this.seconds + 60 : issuedAt;
    const time = (seconds: number) =>
      has("asked-unix-times") ? Math.floor(seconds) : new Date(Math.round(seconds * 1000)).toISOString();
    return {
      domain: has("asks-other-domain") ? "example.com" : this.origin.hostname,
      action: challenge.action,
      intent: has("intent-hidden") ? null : intent,
      asked_at: time(askedAt),
      expires_at: time(askedAt + (has("asked-10-minutes") ? 600 : LIFETIME_SECONDS)),
      browser: { name: has("raw-user-agent") ? userAgent : nameBrowser(userAgent) },
      network: has("always-other-network") ? "other" : "same",
      ...(has("question-names-user") ? { user_id: 1 } : {}),
    };
  }

  /** docs/protocol.md#112-after-signing. */
  undo(query: URLSearchParams): void {
    const login = this.logins.get(this.#undo.find(query));
    if (!login || (!login.redeemed && this.has("undo-redeemed-alone"))) return;
    login.undone = true;
    const { sid, userId } = login;
    if (this.has("undo-ends-all")) this.endSessions((session) => session.userId === userId);
    else if (!this.has("undo-pending-alone")) this.endSessions((session) => session.sid === sid);
  }

  /**
   * In the order of docs/protocol.md#32-post-webhooklogin-post-webhookregister.
   * @returns the members of the site's response, except for its status
   */
  async accept(action: Action, body: Record<string, unknown>, userAgent = "") {
    const { public_key, signature, challenge: sentChallenge, timestamp } = body as Record<string, string>;
    const key = readKey(String(public_key), this.has);
    const isProved = () => key !== null && isSigned(key, String(signature), String(sentChallenge), this.has);
    const user = key === null ? undefined : this.users.get(key);
    const isStranger = action === "login" && user === undefined;
    const challenge = this.#find(normaliseLaxly(String(sentChallenge), this.has), String(sentChallenge));
    const login = this.#waiting(challenge, action, Number(timestamp));
    if (!challenge || !login) {
      if (this.has("signature-first") && !isProved()) throw new SiteError(406, "invalid_signature");
      if (isStranger && this.has("user-first")) throw new SiteError(404, "user_not_found");
      throw new SiteError(408, "challenge_expired");
    }
    if (this.has("slow-spend")) await waitTurns(4);
    const isOneOfTwo = [...this.#challenges.values()].filter(({ sid }) => sid === login.sid).length > 1;
    if (isOneOfTwo && (this.has("code-locked-alone") || this.has("late-one-owns"))) {
      await waitBriefly();
      const isOver = login.status === "authenticated" && this.has("late-one-owns");
      if (isOver) login.userId = user ?? null;
      if (isOver || challenge.used) throw new SiteError(408, "challenge_expired");
    }
    if (key === null || (!isProved() && !this.has("unsigned"))) {
      if (isStranger && this.has("user-first")) throw new SiteError(404, "user_not_found");
      if (this.has("refusal-spends")) challenge.used = true;
      if (user !== undefined && this.has("user-before-signature")) login.userId = user;
      if (this.has("refusal-unregisters")) login.status = "unregistered";
      throw new SiteError(406, "invalid_signature");
    }
    if (!this.has("intent-last")) expectIntent(challenge, body.intent, this.has);
    if (isStranger && !this.has("login-registers")) {
      if (this.has("unknown-key-spends") || this.has("refusal-spends")) challenge.used = true;
      if (!this.has("never-unregistered") && !this.has("user-first")) login.status = "unregistered";
      if (this.has("unregistered-signs-in")) login.userId = 0;
      throw new SiteError(404, "user_not_found");
    }
    expectIntent(challenge, body.intent, this.has);
    if (user !== undefined && action === "register" && this.has("register-conflict")) {
      throw new SiteError(409, "already_registered");
    }
    challenge.used = true;
    const isNew = user === undefined || (action === "register" && this.has("always-new-user"));
    const userId = isNew ? this.users.size + 1 + this.counter++ : user;
    if (isNew) this.users.set(key, userId);
    const describe = (of = userId) =>
      this.#undo.describe(this.origin, { ...login.asking, sid: login.sid, userId: of }, userAgent);
    if (this.has("status-late")) return describe();
    const others = [...this.logins.values()].filter((item) => item !== login && item.status === "pending");
    for (const item of others.length > 0 && this.has("all-pending") ? [login, ...others] : [login]) {
      Object.assign(item, { status: "authenticated", userId: this.has("one-user") ? 1 : userId });
    }
    return describe(login.userId ?? userId);
  }

  /** Undefined if the challenge can no longer be answered. */
  #waiting(challenge: Challenge | undefined, action: Action, timestamp: number): Login | undefined {
    const login = challenge && this.logins.get(challenge.sid);
    if (!challenge || !login || this.#isExpired(challenge, action, timestamp)) return undefined;
    if (challenge.action !== action && !this.has("other-action-accepted")) return undefined;
    if (challenge.used) return this.has("used-twice") ? login : undefined;
    if (login.undone) return undefined;
    const isFinal =
      login.status === "authenticated" && !this.has("used-twice") && !this.has("second-code-wins");
    return isFinal ? undefined : login;
  }

  #isExpired({ issuedAt }: Challenge, action: Action, timestamp: number): boolean {
    const age = this.seconds - issuedAt;
    const isOld = timestamp - issuedAt > LIFETIME_SECONDS;
    if (isOld !== age > LIFETIME_SECONDS && this.has("wallet-clock")) return isOld;
    if (age <= LIFETIME_SECONDS) return age > 20 && this.has("lives-20-seconds");
    if (age <= 300 && this.has("lives-5-minutes")) return false;
    if (action === "register" && this.has("register-never-expires")) return false;
    return !this.has("never-expires");
  }

  #find(text: string, sentText: string): Challenge | undefined {
    const exact = this.#challenges.get(text);
    if (exact) return exact;
    const all = [...this.#challenges.values()];
    const byNonce = all.find((item) => item.text.slice(-32) === sentText.slice(-32));
    if (byNonce && this.has("found-by-nonce")) return byNonce;
    const isOurs = sentText.startsWith(`svc:login:${this.origin.hostname}:`);
    return isOurs && this.has("never-looked-up") ? all.at(-1) : undefined;
  }

  check(sid: string | null) {
    const login = sid === null ? undefined : this.logins.get(sid);
    if (sid === null && !this.has("no-sid-pending")) throw invalidRequest();
    if (!login) {
      if (this.has("unknown-sid-pending") || sid === null) return { status: "pending" };
      throw new SiteError(404, this.has("wrong-404") ? "not_found" : "session_not_found");
    }
    if (login.undone) throw new SiteError(410, "session_expired");
    if (login.status !== "authenticated") {
      const leak = this.has("pending-leaks") ? { mode: "login", secret: login.secret } : {};
      const user =
        login.userId !== null && this.has("user-before-signature") ? { user_id: login.userId } : {};
      return { status: login.status, ...leak, ...user };
    }
    const redirectTarget = this.has("open-redirect") ? login.wanted : null;
    return {
      status: "authenticated",
      user_id: this.has("text-user-id") ? String(login.userId) : login.userId,
      redirect:
        redirectTarget || (this.has("absolute-redirect") ? "https://evil.example/dashboard" : "/dashboard"),
      ...(this.has("status-leaks") ? { public_key: "04" } : {}),
    };
  }

  knows(sid: string | null, secret: string | null): boolean {
    const login = sid === null ? undefined : this.logins.get(sid);
    return login !== undefined && (login.secret === secret || this.has("stream-for-all"));
  }
}

// Section 11: the browser that requested a code, known browsers, and the undo URL.

/** As the request for the code describes it. */
export type AskingBrowser = { userAgent: string; knownWord: string };

type Answered = AskingBrowser & { sid: string; userId: number | null };

const UNDO_SECONDS = 600;

export const newKnownWord = () => randomBytes(16).toString("base64url");

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

function openUndo(has: HasFault, seconds: () => number) {
  /** By the hash of the undo URL's secret. `at` is the time of the answer. */
  const answered = new Map<string, { sid: string; at: number }>();
  const knownBrowsers = new Set<string>();
  let counter = 0;

  /** Except for the response's status. */
  function describe(origin: URL, { sid, userId, userAgent, knownWord }: Answered, ofWallet: string) {
    const word = has("short-undo") ? `undo-${counter++}` : newKnownWord();
    answered.set(hashOf(word), { sid, at: seconds() });
    const isKnown = knownBrowsers.has(has("word-alone-known") ? knownWord : `${knownWord} ${userId}`);
    const isNew = has("always-new-browser") || (!isKnown && !has("never-new-browser"));
    const at = has("undo-elsewhere") ? new URL("https://elsewhere.example") : origin;
    return {
      browser: { name: nameBrowser(has("names-wallet") ? ofWallet : userAgent) },
      ...(has("newness-untold") ? {} : { new_browser: isNew }),
      undo: `${at.origin}/webhook/undo?${new URLSearchParams({ s: sid, t: word })}`,
    };
  }

  function remember({ knownWord, userId }: Pick<Answered, "knownWord" | "userId">): void {
    knownBrowsers.add(`${knownWord} ${userId}`).add(knownWord);
  }

  /** @throws {SiteError} 404 if the undo URL belongs to no login */
  function find(query: URLSearchParams): string {
    const [sid, word] = [query.get("s") ?? "", query.get("t") ?? ""];
    const found = answered.get(hashOf(word));
    const isOwn = found?.sid === sid || (found === undefined && has("undo-unchecked"));
    const isLate = found !== undefined && seconds() - found.at > UNDO_SECONDS;
    if (sid === "" || !isOwn || isLate) throw new SiteError(404, "session_not_found");
    if (has("undo-once")) answered.delete(hashOf(word));
    return sid;
  }

  return { describe, remember, find };
}

export function nameBrowser(userAgent: string): string {
  const name = /Firefox|Chrome/.exec(userAgent)?.[0] ?? "A browser";
  const system = /Linux|Windows/.exec(userAgent)?.[0];
  return system ? `${name} on ${system}` : name;
}
