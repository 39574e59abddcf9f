import { randomBytes } from "node:crypto";
import type { Clocked } from "./clocked.fixture.ts";
import type { Has } from "./planted.fixture.ts";
import { randomLetters } from "./random-letters.fixture.ts";
import type { Domains } from "./reference-domains.fixture.ts";
import type { ApiDomain, Body, Call, Events } from "./reference-events.fixture.ts";
import { judgeUrls } from "./reference-names.fixture.ts";
import { isSigned, readKey } from "./reference-proof.fixture.ts";
import { invalid, SiteError } from "./site-error.fixture.ts";

/** The sessions of the reference API, and the places where a fault changes them. */

type Challenge = { text: string; issuedAt: number; used: boolean };
type ApiSession = {
  id: string;
  tenant: string;
  domain: ApiDomain;
  mode: string;
  url: string;
  createdAt: string;
  challenges: Challenge[];
  user: { key: string; device: Body; at: string } | null;
};

const LIFETIME_SECONDS = 30;

type Parts = { origin: () => string; clock: Clocked; domains: Domains; events: Events; has: Has };

export class Sessions {
  readonly all: ApiSession[] = [];
  readonly #origin: () => string;
  readonly #clock: Clocked;
  readonly #domains: Domains;
  readonly #events: Events;
  readonly #has: Has;
  #counter = 1000;

  constructor({ origin, clock, domains, events, has }: Parts) {
    this.#origin = origin;
    this.#clock = clock;
    this.#domains = domains;
    this.#events = events;
    this.#has = has;
  }

  create({ tenant, body }: Call): Body {
    const has = this.#has;
    const { domain: name, mode = "login", webhook_url: url, metadata = {} } = body;
    if (typeof name !== "string" || !/^[\p{L}\p{N}.-]+$/u.test(name)) throw invalid();
    if (mode !== "login" && mode !== "register" && !(typeof mode === "string" && has("any-mode")))
      throw invalid();
    const domain = this.#domains.all.find(
      (each) => each.name === name && (each.tenant === tenant || has("domain-of-anybody")),
    );
    if (!domain && has("any-domain"))
      this.#domains.register(tenant, { domain: `x${name}`, webhook_url: `https://${name}/` });
    const found = domain ?? (has("any-domain") ? this.#domains.all.at(-1) : undefined);
    if (!found) throw new SiteError(422, "domain_not_registered");
    judgeUrls(found, url, metadata as Body, has);
    const session: ApiSession = {
      ...{ id: this.#newId(), tenant, domain: found, mode: String(mode), createdAt: this.#clock.iso() },
      ...{ url: typeof url === "string" ? url : found.url, challenges: [], user: null },
    };
    if (has("lists-oldest-first")) this.all.push(session);
    else this.all.unshift(session);
    const issued = this.#issue(session);
    const more = has("created-tells-more") ? { tenant } : {};
    return { ...issued, status: "pending", created_at: session.createdAt, ...more };
  }

  endOf(domain: ApiDomain): void {
    this.all.splice(0, this.all.length, ...this.all.filter((each) => each.domain !== domain));
  }

  spend(text: string): void {
    for (const { challenges } of this.all) for (const each of challenges) each.used ||= each.text === text;
  }

  #newId(): string {
    if (this.#has("session-counter")) return `session-00000000000000${this.#counter++}`;
    return randomBytes(24).toString("base64url").replace(/[-_]/g, "x");
  }

  #issue(session: ApiSession, isRefresh = false): Body {
    const has = this.#has;
    const seconds = Math.floor(this.#clock.seconds);
    const nonce = randomLetters();
    const action = isRefresh && has("refresh-is-login") ? "login" : session.mode;
    const mode = action === "register" && has("mode-ignored") ? "login" : action;
    const domain = isRefresh && has("own-domain") ? "localhost" : session.domain.name;
    const text = `svc:${mode}:${domain}:${seconds}:${nonce}`;
    if (isRefresh && has("refresh-kills")) for (const each of session.challenges) each.used = true;
    session.challenges.push({ text, issuedAt: this.#clock.seconds, used: false });
    const { id } = session;
    const fields = new URLSearchParams({
      webhook:
        isRefresh && has("qr-other-webhook")
          ? `https://elsewhere.example/webhook/sessions/${id}`
          : `${this.#origin()}/webhook/sessions/${id}`,
      session: isRefresh && has("qr-other-session") ? "other" : id,
      challenge: text,
      ts: String(isRefresh && has("qr-other-ts") ? seconds + 30 : seconds),
    });
    const ends = seconds + (isRefresh && has("expires-late") ? 600 : LIFETIME_SECONDS);
    return {
      id,
      challenge: text,
      qr_data: `svc://auth?${fields}`,
      expires_at: new Date(ends * 1000).toISOString(),
    };
  }

  of({ id, tenant }: Call): ApiSession {
    if (!/^\w+$/.test(id) && this.#has("strange-ids-throw")) throw new Error("invalid input");
    const session = this.all.find((each) => each.id === id);
    if (!session || (session.tenant !== tenant && !this.#has("foreign-sessions")))
      throw new SiteError(404, session && this.#has("foreign-403") ? "forbidden" : "session_not_found");
    return session;
  }

  #isExpired({ challenges }: ApiSession): boolean {
    return (challenges.at(-1)?.issuedAt ?? 0) + LIFETIME_SECONDS < this.#clock.seconds;
  }

  read(session: ApiSession): Body {
    const { id, user } = session;
    const has = this.#has;
    if (this.#isExpired(session) && (user ? has("answered-expires") : !has("never-410")))
      throw new SiteError(410, "session_expired");
    if (!user) {
      const more = has("pending-tells-more") ? { domain: session.domain.name } : {};
      return { id, status: "pending", expires_at: this.#clock.iso(), ...more };
    }
    const { device_id: _device, ...shown } = user.device;
    return {
      ...{ id, status: "authenticated", authenticated_at: user.at },
      user: { public_key: user.key, device_info: has("device-id-shown") ? user.device : shown },
    };
  }

  refresh(session: ApiSession): Body {
    if (session.user) {
      if (this.#has("refresh-reopens")) session.user = null;
      else if (!this.#has("refresh-answered")) throw new SiteError(409, "session_already_authenticated");
    }
    return this.#issue(session, true);
  }

  /** What a wallet posts, in the order of docs/protocol.md#32-post-webhooklogin-post-webhookregister. */
  async respond(id: string, body: Body): Promise<void> {
    const has = this.#has;
    const {
      public_key,
      signature,
      challenge: given,
      timestamp,
      device_info: device,
    } = body as Record<string, string>;
    const session = this.all.find((each) => each.id === id);
    const own = session?.challenges.find(({ text }) => text === given);
    const nonce = String(given).slice(-32);
    const similar =
      own ?? session?.challenges.find(({ text }) => text.endsWith(nonce) && has("found-by-nonce"));
    const strange =
      similar ??
      this.all
        .flatMap(({ challenges }) => challenges)
        .find(({ text }) => text === given && has("any-session"));
    const key = readKey(String(public_key), has);
    const isProved = () => key !== null && isSigned(key, String(signature), String(given), has);
    const isOver =
      !strange ||
      (strange.issuedAt + (has("lives-20-seconds") ? 20 : LIFETIME_SECONDS) < this.#clock.seconds &&
        !has("never-expires"));
    const isUsed = strange?.used && !has("used-twice");
    const isFinal = session?.user && !has("used-twice") && !has("second-code-wins");
    if (isOver || isUsed || isFinal || !session) {
      if (session && has("signature-first") && !isProved()) throw new SiteError(406, "invalid_signature");
      throw new SiteError(408, "challenge_expired");
    }
    if (has("slow-spend")) await new Promise((resolve) => setTimeout(resolve, 5));
    if (key === null || (!isProved() && !has("unsigned"))) {
      if (has("refusal-spends")) strange.used = true;
      if (has("refusal-tells")) this.#tell(session, body, "");
      throw new SiteError(406, "invalid_signature");
    }
    const { intent } = body;
    const isLogin = intent === undefined || (intent === null && !has("null-refused"));
    if (!isLogin && !has("intent-unread")) {
      if (has("mismatch-spends")) strange.used = true;
      throw new SiteError(406, "intent_mismatch");
    }
    if (session.mode === "login" && has("users-of-its-own")) throw new SiteError(404, "user_not_found");
    strange.used = true;
    session.user = {
      key: has("key-as-sent") ? String(public_key) : key,
      device: (device ?? {}) as unknown as Body,
      at: this.#clock.iso(),
    };
    if (!has("no-events")) this.#tell(session, body, key, Number(timestamp));
  }

  #tell({ id, mode, domain, url }: ApiSession, body: Body, key: string, signedAt = 0): void {
    const { signature, challenge, device_info } = body;
    const data = {
      ...{ public_key: key, signature, challenge, device_info },
      signed_at: this.#has("event-text-time") ? String(signedAt) : signedAt,
    };
    const event = this.#has("event-always-login") ? "login" : mode;
    this.#events.send(domain, url, { event, session_id: id, data });
  }
}
