import { createHash, randomBytes, randomInt } from "node:crypto";
import { parseDerSignature } from "../../login/crypto/signature.ts";
import type { Has } from "./planted.fixture.ts";
import { type ApiDomain, Events } from "./reference-events.fixture.ts";
import { SiteError } from "./reference-login.fixture.ts";
import { readDomain, wrongWebhookUrl } from "./reference-names.fixture.ts";
import { isSigned, readKey } from "./reference-proof.fixture.ts";

/** The state of a correct hosted API in memory, and the places where a fault changes it. */

type Body = Record<string, unknown>;
export type Call = {
  tenant: string;
  id: string;
  query: URLSearchParams;
  body: Body;
  idempotencyKey: string | undefined;
};
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
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const invalid = () => new SiteError(400, "invalid_request");

export class HostedCore {
  readonly events: Events;
  readonly #has: Has;
  readonly #origin: () => string;
  readonly #domains: ApiDomain[] = [];
  readonly #sessions: ApiSession[] = [];
  readonly #kept = new Map<string, { body: string; answer: Promise<[number, Body]> }>();
  #offsetSeconds = 0;
  #counter = 1000;

  constructor(origin: () => string, has: Has) {
    this.#origin = origin;
    this.#has = has;
    this.events = new Events(has);
  }

  get seconds(): number {
    return Date.now() / 1000 + this.#offsetSeconds;
  }

  advance(seconds: number): void {
    this.#offsetSeconds += seconds;
  }

  #iso(seconds = this.seconds): string {
    return new Date(seconds * 1000).toISOString();
  }

  /** Carries an operation out. @throws {SiteError} its refusals */
  async call(operation: string, call: Call): Promise<[status: number, body?: Body]> {
    const { tenant, id, body, query } = call;
    switch (operation) {
      case "POST /sessions":
        return this.#once(call);
      case "GET /sessions":
        return [
          200,
          this.#page(
            "sessions",
            query,
            this.#sessions.filter((each) => each.tenant === tenant || this.#has("lists-everything")),
          ),
        ];
      case "GET /sessions/*":
        return [200, this.#read(this.#session(call))];
      case "POST /sessions/*/refresh":
        return [200, this.#refresh(this.#session(call))];
      case "POST /verify":
        return [200, this.#verify(body)];
      case "GET /domains":
        return [
          200,
          this.#page(
            "domains",
            query,
            this.#domains.filter((each) => each.tenant === tenant),
          ),
        ];
      case "POST /domains":
        return [201, this.#register(tenant, body)];
      case "GET /domains/*":
        return [200, this.#show(this.#domain(call))];
      case "PATCH /domains/*": {
        const domain = this.#domain(call);
        domain.url = this.#webhookUrl(body.webhook_url, "patch-url-unchecked");
        if (!this.#has("stays-disabled")) domain.disabledAt = null;
        if (body.verified !== undefined && this.#has("patch-merges"))
          domain.verified = Boolean(body.verified);
        return [200, this.#show(domain)];
      }
      case "DELETE /domains/*": {
        const domain = this.#domain(call);
        this.#domains.splice(this.#domains.indexOf(domain), 1);
        if (this.#has("sessions-outlive")) return [204];
        const kept = this.#sessions.filter((each) => each.domain !== domain);
        this.#sessions.splice(0, this.#sessions.length, ...kept);
        return [204];
      }
      case "POST /domains/*/verify":
        return this.#prove(this.#domain(call));
      case "POST /domains/*/rotate-secret": {
        const domain = this.#domain(call);
        const secret = this.#has("rotation-same") ? (domain.secrets[0] ?? "") : newSecret();
        domain.secrets = [secret, ...domain.secrets].slice(0, 2);
        const end = this.#iso(this.seconds + (this.#has("rotation-ends") ? 60 : 24 * 3600));
        return [200, { id, domain: domain.name, webhook_secret: secret, previous_secret_expires_at: end }];
      }
      case "POST /domains/*/test-event": {
        const domain = this.#domain(call);
        const name = this.#has("test-as-login") ? "login" : "test";
        return [
          202,
          { id: this.events.send(domain, domain.url, { event: name, session_id: "test", data: {} }).id },
        ];
      }
      case "GET /deliveries":
        return [200, this.#deliveries(tenant, query)];
      default: {
        const event = this.events.all.find((each) => each.id === id && each.domain.tenant === tenant);
        if (!event) throw new SiteError(404, "not_found");
        void this.events.attempt(event, this.#has("event-new-id") ? 1 : 0);
        return [202, { id }];
      }
    }
  }

  async #once(call: Call): Promise<[number, Body]> {
    const { idempotencyKey: key, tenant, body } = call;
    if (key === undefined || this.#has("idempotency-ignored")) return [201, this.#create(call)];
    const isKey = /^[!-~ ]{1,255}$/.test(key);
    if (!isKey && !this.#has("any-idempotency-key")) throw invalid();
    const name = this.#has("idempotency-shared") ? key : `${tenant} ${key}`;
    if (this.#has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    const known = this.#kept.get(name);
    const text = JSON.stringify(body);
    if (known && known.body !== text && !this.#has("idempotency-any-body"))
      throw new SiteError(409, "idempotency_conflict");
    if (known && !this.#has("idempotency-races")) {
      const [status, answer] = await known.answer;
      return [
        status,
        this.#has("idempotency-anew") ? { ...answer, created_at: this.#iso(this.seconds + 1) } : answer,
      ];
    }
    const made: [number, Body] = [201, this.#create(call)];
    if (this.#has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#kept.set(name, { body: text, answer: Promise.resolve(made) });
    return made;
  }

  #create({ tenant, body }: Call): Body {
    const has = this.#has;
    const { domain: name, mode = "login", webhook_url: url, metadata = {} } = body;
    if (typeof name !== "string" || !/^[\p{L}\p{N}.-]+$/u.test(name)) throw invalid();
    if (mode !== "login" && mode !== "register" && !(typeof mode === "string" && has("any-mode")))
      throw invalid();
    const domain = this.#domains.find(
      (each) => each.name === name && (each.tenant === tenant || has("domain-of-anybody")),
    );
    if (!domain && has("any-domain"))
      this.#register(tenant, { domain: `x${name}`, webhook_url: `https://${name}/` });
    const found = domain ?? (has("any-domain") ? this.#domains.at(-1) : undefined);
    if (!found) throw new SiteError(422, "domain_not_registered");
    this.#judgeUrls(found, url, metadata as Body);
    const session: ApiSession = {
      ...{ id: this.#newId(), tenant, domain: found, mode: String(mode), createdAt: this.#iso() },
      ...{
        url: typeof url === "string" ? url : found.url,
        challenges: [],
        user: null,
      },
    };
    if (has("lists-oldest-first")) this.#sessions.push(session);
    else this.#sessions.unshift(session);
    const issued = this.#issue(session);
    const more = has("created-tells-more") ? { tenant } : {};
    return { ...issued, status: "pending", created_at: session.createdAt, ...more };
  }

  #judgeUrls(domain: ApiDomain, url: unknown, metadata: Body): void {
    const has = this.#has;
    if (typeof metadata !== "object" || metadata === null) throw invalid();
    const isOwn = (text: string, ends: boolean) => {
      const host = URL.parse(text)?.hostname ?? "";
      return host === domain.name || (ends && host.endsWith(domain.name));
    };
    if (url !== undefined) {
      if (typeof url !== "string" || !URL.canParse(url)) throw invalid();
      if (url !== domain.url && !isOwn(url, has("session-url-ends")) && !has("session-url-anywhere"))
        throw invalid();
    }
    const { return_url: back, custom_data: data } = metadata;
    if (back !== undefined && !has("return-anywhere")) {
      if (!String(back).startsWith("https://") || String(back).includes("@")) throw invalid();
      if (!isOwn(String(back), has("return-ends"))) throw invalid();
    }
    if (data === undefined) return;
    if (typeof data !== "string") throw invalid();
    const size = has("data-in-characters") ? data.length : Buffer.byteLength(data);
    if (size > (has("data-small") ? 1_024 : 4_096)) throw invalid();
  }

  #newId(): string {
    if (this.#has("session-counter")) return `session-00000000000000${this.#counter++}`;
    return randomBytes(24).toString("base64url").replace(/[-_]/g, "x");
  }

  #issue(session: ApiSession, isRefresh = false): Body {
    const has = this.#has;
    const seconds = Math.floor(this.seconds);
    const nonce = Array.from({ length: 32 }, () => ALPHABET[randomInt(62)]).join("");
    const action = isRefresh && has("refresh-is-login") ? "login" : session.mode;
    const mode = action === "register" && has("mode-ignored") ? "login" : action;
    const domain = isRefresh && has("own-domain") ? "localhost" : session.domain.name;
    const text = `svc:${mode}:${domain}:${seconds}:${nonce}`;
    if (isRefresh && has("refresh-kills")) for (const each of session.challenges) each.used = true;
    session.challenges.push({ text, issuedAt: this.seconds, used: false });
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
    return { id, challenge: text, qr_data: `svc://auth?${fields}`, expires_at: this.#iso(ends) };
  }

  #session({ id, tenant }: Call): ApiSession {
    if (!/^\w+$/.test(id) && this.#has("strange-ids-throw")) throw new Error("invalid input");
    const session = this.#sessions.find((each) => each.id === id);
    if (!session || (session.tenant !== tenant && !this.#has("foreign-sessions")))
      throw new SiteError(404, session && this.#has("foreign-403") ? "forbidden" : "session_not_found");
    return session;
  }

  #isExpired({ challenges }: ApiSession): boolean {
    return (challenges.at(-1)?.issuedAt ?? 0) + LIFETIME_SECONDS < this.seconds;
  }

  #read(session: ApiSession): Body {
    const { id, user } = session;
    const has = this.#has;
    if (this.#isExpired(session) && (user ? has("answered-expires") : !has("never-410")))
      throw new SiteError(410, "session_expired");
    if (!user) {
      const more = has("pending-tells-more") ? { domain: session.domain.name } : {};
      return { id, status: "pending", expires_at: this.#iso(), ...more };
    }
    const { device_id: _device, ...shown } = user.device;
    return {
      ...{ id, status: "authenticated", authenticated_at: user.at },
      user: { public_key: user.key, device_info: has("device-id-shown") ? user.device : shown },
    };
  }

  #refresh(session: ApiSession): Body {
    if (session.user) {
      if (this.#has("refresh-reopens")) session.user = null;
      else if (!this.#has("refresh-answered")) throw new SiteError(409, "session_already_authenticated");
    }
    return this.#issue(session, true);
  }

  #verify({ public_key, signature, message }: Body): Body {
    const has = this.#has;
    for (const value of [public_key, signature, message]) {
      if (typeof value !== "string" && !(value !== undefined && has("verify-converts"))) throw invalid();
    }
    const key = readKey(String(public_key), has);
    const isReadable = key !== null && parseDerSignature(String(signature)) !== null;
    if (!isReadable && !has("verify-unreadable")) {
      const details = has("verify-no-details")
        ? {}
        : { public_key: String(public_key), expected_format: "DER" };
      throw new SiteError(400, "invalid_signature", undefined, details);
    }
    const valid = isReadable && isSigned(key, String(signature), String(message), has);
    const hash = createHash("sha256")
      .update(String(message))
      .digest(has("verify-hash-base64") ? "base64" : "hex");
    if (!valid && isReadable && has("verify-406")) throw new SiteError(406, "invalid_signature");
    if (valid && has("verify-spends"))
      for (const each of this.#sessions)
        for (const challenge of each.challenges) challenge.used ||= challenge.text === message;
    return {
      valid: valid || has("verify-always"),
      public_key: has("verify-key-as-sent") ? public_key : key,
      message_hash: `sha256:${hash}`,
    };
  }

  #register(tenant: string, { domain, webhook_url }: Body): Body {
    const name = readDomain(String(domain), this.#has);
    if (name === null) throw invalid();
    const url = this.#webhookUrl(webhook_url, "create-url-unchecked");
    const isTaken = this.#domains.some((each) => each.tenant === tenant && each.name === name);
    if (isTaken && !this.#has("domain-twice")) throw new SiteError(409, "domain_already_registered");
    const secret = this.#has("one-secret") ? `whsec_${Buffer.alloc(32, 7).toString("base64")}` : newSecret();
    const made: ApiDomain = {
      ...{ id: `dom_${randomBytes(12).toString("hex")}`, tenant, name, url, disabledAt: null },
      ...{ verified: name.endsWith(".test") && !this.#has("test-unverified"), secrets: [secret] },
      token: `svc-verify=${randomBytes(16).toString("hex")}`,
    };
    if (this.#has("domains-oldest-first")) this.#domains.push(made);
    else this.#domains.unshift(made);
    const { id, verified, token } = made;
    return {
      id,
      domain: name,
      verified,
      verification_token: token,
      webhook_url: url,
      webhook_secret: this.#has("short-secret") ? secret.slice(0, 30) : secret,
    };
  }

  #webhookUrl(url: unknown, fault: string): string {
    if (typeof url !== "string" || (wrongWebhookUrl(url, this.#has) !== null && !this.#has(fault)))
      throw invalid();
    return url;
  }

  #domain({ id, tenant }: Call): ApiDomain {
    if (!/^\w+$/.test(id) && this.#has("strange-ids-throw")) throw new Error("invalid input");
    const domain = this.#domains.find((each) => each.id === id);
    if (!domain || (domain.tenant !== tenant && !this.#has("foreign-domains")))
      throw new SiteError(404, "domain_not_found");
    return domain;
  }

  #show(domain: ApiDomain): Body {
    const { id, name, verified, url, token, disabledAt } = domain;
    const secret = this.#has("secret-shown-again") ? { webhook_secret: domain.secrets[0] } : {};
    return {
      id,
      domain: name,
      verified,
      webhook_url: url,
      verification_token: token,
      disabled_at: disabledAt,
      ...secret,
    };
  }

  #prove(domain: ApiDomain): [number, Body] {
    if (domain.verified || this.#has("proof-unneeded")) {
      domain.verified = true;
      return [200, { id: domain.id, verified: true }];
    }
    const found = this.#has("proof-tells-address") ? "connect ECONNREFUSED 10.0.0.7:443" : "nothing";
    const places = [
      `TXT ${domain.name}`,
      `TXT _svc-challenge.${domain.name}`,
      `https://${domain.name}/.well-known/svc-challenge.txt`,
    ];
    const looked = places.map((looked_at) => ({ looked_at, found }));
    throw new SiteError(
      422,
      "domain_verification_failed",
      undefined,
      this.#has("proof-silent") ? {} : { looked },
    );
  }

  #page(name: string, query: URLSearchParams, items: { id: string }[]): Body {
    const text = query.get("limit") ?? "20";
    const limit = Number(text);
    const isLimit = /^\d+$/.test(text) && limit >= 1 && limit <= 100;
    if (!isLimit && !this.#has("any-limit")) throw invalid();
    const cursor = query.get("cursor");
    const at = cursor === null ? -1 : items.findIndex(({ id }) => id === cursor);
    if (cursor !== null && at < 0 && !this.#has("any-limit")) throw invalid();
    const page = items.slice(at + 1, at + 1 + (limit || 20));
    const last = items.length > at + 1 + page.length ? page.at(-1)?.id : undefined;
    const shown = page.map((item) => (name === "domains" ? this.#show(item as ApiDomain) : { id: item.id }));
    return { [name]: shown, next_cursor: this.#has("no-cursor") ? null : (last ?? null) };
  }

  #deliveries(tenant: string, query: URLSearchParams): Body {
    const [domain, session, status] = ["domain_id", "session_id", "status"].map((name) => query.get(name));
    if (status && !["pending", "delivered", "failed"].includes(status) && !this.#has("any-status"))
      throw invalid();
    const isShown = (event: (typeof this.events.all)[number]) =>
      (event.domain.tenant === tenant || ((session || domain) && this.#has("filter-crosses"))) &&
      (!domain || event.domain.id === domain) &&
      (!session || event.sessionId === session || this.#has("filter-ignored"));
    const deliveries = this.events.all.filter(isShown).map((event) => ({
      ...{ id: event.id, session_id: event.sessionId, domain_id: event.domain.id, status: event.status },
      ...{ next_attempt_at: event.nextAt, attempts: event.attempts },
    }));
    return { deliveries, next_cursor: null };
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
    const session = this.#sessions.find((each) => each.id === id);
    const own = session?.challenges.find(({ text }) => text === given);
    const nonce = String(given).slice(-32);
    const similar =
      own ?? session?.challenges.find(({ text }) => text.endsWith(nonce) && has("found-by-nonce"));
    const strange =
      similar ??
      this.#sessions
        .flatMap(({ challenges }) => challenges)
        .find(({ text }) => text === given && has("any-session"));
    const key = readKey(String(public_key), has);
    const isProved = () => key !== null && isSigned(key, String(signature), String(given), has);
    const isOver =
      !strange ||
      (strange.issuedAt + (has("lives-20-seconds") ? 20 : LIFETIME_SECONDS) < this.seconds &&
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
    if (session.mode === "login" && has("users-of-its-own")) throw new SiteError(404, "user_not_found");
    strange.used = true;
    session.user = {
      key: has("key-as-sent") ? String(public_key) : key,
      device: (device ?? {}) as unknown as Body,
      at: this.#iso(),
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
    this.events.send(domain, url, { event, session_id: id, data });
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
