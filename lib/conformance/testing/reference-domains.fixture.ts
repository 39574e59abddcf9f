import { randomBytes } from "node:crypto";
import type { Clocked } from "./clocked.fixture.ts";
import type { Has } from "./planted.fixture.ts";
import type { ApiDomain, Body, Call } from "./reference-events.fixture.ts";
import { readDomain, wrongWebhookUrl } from "./reference-names.fixture.ts";
import { invalid, SiteError } from "./site-error.fixture.ts";

/** The domains of the reference API, and the places where a fault changes them. */
export class Domains {
  readonly all: ApiDomain[] = [];
  readonly #clock: Clocked;
  readonly #has: Has;

  constructor(clock: Clocked, has: Has) {
    this.#clock = clock;
    this.#has = has;
  }

  /** Changes where events go. */
  change(domain: ApiDomain, { webhook_url, verified }: Body): Body {
    domain.url = this.#webhookUrl(webhook_url, "patch-url-unchecked");
    if (!this.#has("stays-disabled")) domain.disabledAt = null;
    if (verified !== undefined && this.#has("patch-merges")) domain.verified = Boolean(verified);
    return this.show(domain);
  }

  rotate(domain: ApiDomain): Body {
    const { id, name, secrets } = domain;
    const secret = this.#has("rotation-same") ? (secrets[0] ?? "") : newSecret();
    domain.secrets = [secret, ...secrets].slice(0, 2);
    const end = this.#clock.iso(this.#has("rotation-ends") ? 60 : 24 * 3600);
    return { id, domain: name, webhook_secret: secret, previous_secret_expires_at: end };
  }

  register(tenant: string, { domain, webhook_url }: Body): Body {
    const name = readDomain(String(domain), this.#has);
    if (name === null) throw invalid();
    const url = this.#webhookUrl(webhook_url, "create-url-unchecked");
    if (this.#has("at-quota")) throw new SiteError(422, "quota_exceeded", "This tenant has 100 domains.");
    const isTaken = this.all.some((each) => each.tenant === tenant && each.name === name);
    if (isTaken && !this.#has("domain-twice")) throw new SiteError(409, "domain_already_registered");
    const secret = this.#has("one-secret") ? `whsec_${Buffer.alloc(32, 7).toString("base64")}` : newSecret();
    const made: ApiDomain = {
      ...{ id: `dom_${randomBytes(12).toString("hex")}`, tenant, name, url, disabledAt: null },
      ...{ verified: name.endsWith(".test") && !this.#has("test-unverified"), secrets: [secret] },
      token: `svc-verify=${randomBytes(16).toString("hex")}`,
    };
    if (this.#has("domains-oldest-first")) this.all.push(made);
    else this.all.unshift(made);
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

  of({ id, tenant }: Call): ApiDomain {
    if (!/^\w+$/.test(id) && this.#has("strange-ids-throw")) throw new Error("invalid input");
    const domain = this.all.find((each) => each.id === id);
    if (!domain || (domain.tenant !== tenant && !this.#has("foreign-domains")))
      throw new SiteError(404, "domain_not_found");
    return domain;
  }

  show(domain: ApiDomain): Body {
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

  prove(domain: ApiDomain): [number, Body] {
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
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
