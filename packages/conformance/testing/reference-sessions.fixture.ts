import { randomBytes } from "node:crypto";
import { randomText } from "../wallet/code.ts";
import {
  type HasFault,
  invalidRequest,
  type PlantedFaults,
  SiteError,
  type TestClock,
} from "./reference.fixture.ts";
import { writePayload } from "./reference-browsers.fixture.ts";
import { type Domains, validateUrls } from "./reference-domains.fixture.ts";
import type { ApiDomain, Body, Call, Events } from "./reference-events.fixture.ts";
import { expectIntent, isSigned, readKey } from "./reference-proof.fixture.ts";

type Challenge = { text: string; issuedAt: number; used: boolean; intent: null };
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

type Parts = { planted: PlantedFaults; clock: TestClock; domains: Domains; events: Events };

export function openSessions({ planted, clock, domains, events }: Parts) {
  const { has } = planted;
  const all: ApiSession[] = [];
  let counter = 1000;

  function create({ tenant, body }: Call): Body {
    const { domain: name, mode = "login", webhook_url: url, metadata = {} } = body;
    if (typeof name !== "string" || !/^[\p{L}\p{N}.-]+$/u.test(name)) throw invalidRequest();
    if (mode !== "login" && mode !== "register" && !(typeof mode === "string" && has("any-mode")))
      throw invalidRequest();
    const domain = domains.all.find(
      (domain) => domain.name === name && (domain.tenant === tenant || has("domain-of-anybody")),
    );
    if (!domain && has("any-domain"))
      domains.register(tenant, { domain: `x${name}`, webhook_url: `https://${name}/` });
    const found = domain ?? (has("any-domain") ? domains.all.at(-1) : undefined);
    if (!found) throw new SiteError(422, "domain_not_registered");
    validateUrls(found, url, metadata as Body, has);
    const session: ApiSession = {
      ...{ id: newId(), tenant, domain: found, mode: String(mode), createdAt: clock.iso() },
      ...{ url: typeof url === "string" ? url : found.url, challenges: [], user: null },
    };
    if (has("lists-oldest-first")) all.push(session);
    else all.unshift(session);
    const issued = issue(session);
    const more = has("created-tells-more") ? { tenant } : {};
    return { ...issued, status: "pending", created_at: session.createdAt, ...more };
  }

  function endOf(domain: ApiDomain): void {
    all.splice(0, all.length, ...all.filter((session) => session.domain !== domain));
  }

  function spend(text: string): void {
    for (const { challenges } of all) for (const item of challenges) item.used ||= item.text === text;
  }

  function newId(): string {
    if (has("session-counter")) return `session-00000000000000${counter++}`;
    return randomBytes(24).toString("base64url").replace(/[-_]/g, "x");
  }

  function issue(session: ApiSession, isRefresh = false): Body {
    const seconds = Math.floor(clock.seconds);
    const inRefreshes: HasFault = (fault) => isRefresh && has(fault);
    const action = inRefreshes("refresh-is-login") ? "login" : session.mode;
    const mode = action === "register" && has("mode-ignored") ? "login" : action;
    const domain = inRefreshes("own-domain") ? "localhost" : session.domain.name;
    const text = `svc:${mode}:${domain}:${seconds}:${randomText(32)}`;
    if (inRefreshes("refresh-kills")) for (const item of session.challenges) item.used = true;
    session.challenges.push({ text, issuedAt: clock.seconds, used: false, intent: null });
    const { id } = session;
    const path = `/webhook/sessions/${id}`;
    const parts = { origin: planted.origin, path, sid: id, challenge: text, issuedAt: seconds };
    const ends = seconds + (inRefreshes("expires-late") ? 600 : LIFETIME_SECONDS);
    return {
      id,
      challenge: text,
      qr_data: writePayload({ ...parts, intent: null, secret: "" }, undefined, inRefreshes),
      expires_at: new Date(ends * 1000).toISOString(),
    };
  }

  function of({ id, tenant }: Call): ApiSession {
    if (!/^\w+$/.test(id) && has("strange-ids-throw")) throw new Error("invalid input");
    const session = all.find((item) => item.id === id);
    if (!session || (session.tenant !== tenant && !has("foreign-sessions")))
      throw new SiteError(404, session && has("foreign-403") ? "forbidden" : "session_not_found");
    return session;
  }

  function isExpired({ challenges }: ApiSession): boolean {
    return (challenges.at(-1)?.issuedAt ?? 0) + LIFETIME_SECONDS < clock.seconds;
  }

  function read(session: ApiSession): Body {
    const { id, user } = session;
    if (isExpired(session) && (user ? has("answered-expires") : !has("never-410")))
      throw new SiteError(410, "session_expired");
    if (!user) {
      const more = has("pending-tells-more") ? { domain: session.domain.name } : {};
      return { id, status: "pending", expires_at: clock.iso(), ...more };
    }
    const { device_id: _device, ...shown } = user.device;
    return {
      ...{ id, status: "authenticated", authenticated_at: user.at },
      user: { public_key: user.key, device_info: has("device-id-shown") ? user.device : shown },
    };
  }

  function refresh(session: ApiSession): Body {
    if (session.user) {
      if (has("refresh-reopens")) session.user = null;
      else if (!has("refresh-answered")) throw new SiteError(409, "session_already_authenticated");
    }
    return issue(session, true);
  }

  /** In the order of docs/protocol.md#32-post-webhooklogin-post-webhookregister. */
  async function respond(id: string, body: Body): Promise<void> {
    const [keyText = "", signature = "", sent = ""] = [body.public_key, body.signature, body.challenge].map(
      String,
    );
    const session = all.find((item) => item.id === id);
    const own = session?.challenges ?? [];
    const challenge =
      own.find(({ text }) => text === sent) ??
      own.find(({ text }) => text.endsWith(sent.slice(-32)) && has("found-by-nonce")) ??
      all.flatMap(({ challenges }) => challenges).find(({ text }) => text === sent && has("any-session"));
    const key = readKey(keyText, has);
    const isProved = () => key !== null && isSigned(key, signature, sent, has);
    const isOver =
      !challenge ||
      (challenge.issuedAt + (has("lives-20-seconds") ? 20 : LIFETIME_SECONDS) < clock.seconds &&
        !has("never-expires"));
    const isUsed = challenge?.used && !has("used-twice");
    const isFinal = session?.user && !has("used-twice") && !has("second-code-wins");
    if (isOver || isUsed || isFinal || !session) {
      if (session && has("signature-first") && !isProved()) throw new SiteError(406, "invalid_signature");
      throw new SiteError(408, "challenge_expired");
    }
    if (has("slow-spend")) await new Promise((resolve) => setTimeout(resolve, 5));
    if (key === null || (!isProved() && !has("unsigned"))) {
      if (has("refusal-spends")) challenge.used = true;
      if (has("refusal-tells")) sendEvent(session, body, "");
      throw new SiteError(406, "invalid_signature");
    }
    expectIntent(challenge, body.intent, has);
    if (session.mode === "login" && has("users-of-its-own")) throw new SiteError(404, "user_not_found");
    challenge.used = true;
    session.user = {
      key: has("key-as-sent") ? keyText : key,
      device: (body.device_info ?? {}) as Body,
      at: clock.iso(),
    };
    sendEvent(session, body, key, Number(body.timestamp));
  }

  function sendEvent({ id, mode, domain, url }: ApiSession, body: Body, key: string, signedAt = 0): void {
    const { signature, challenge, device_info } = body;
    const data = {
      ...{ public_key: key, signature, challenge, device_info },
      signed_at: has("event-text-time") ? String(signedAt) : signedAt,
    };
    const event = has("event-always-login") ? "login" : mode;
    events.send(domain, url, { event, session_id: id, data });
  }

  return { all, create, endOf, spend, of, read, refresh, respond };
}
