import { Clocked } from "./clocked.fixture.ts";
import type { Has } from "./planted.fixture.ts";
import type { Body, Call } from "./reference-call.fixture.ts";
import { Domains } from "./reference-domains.fixture.ts";
import { Events } from "./reference-events.fixture.ts";
import { Idempotency } from "./reference-idempotency.fixture.ts";
import { deliveriesOf, pageOf } from "./reference-lists.fixture.ts";
import { Sessions } from "./reference-sessions.fixture.ts";
import { verifyMessage } from "./reference-verify.fixture.ts";
import { SiteError } from "./site-error.fixture.ts";

/** The operations of a correct hosted API in memory, and the places where a fault changes them. */
export class HostedCore extends Clocked {
  readonly events: Events;
  readonly sessions: Sessions;
  readonly #domains: Domains;
  readonly #idempotency: Idempotency;
  readonly #has: Has;

  constructor(origin: () => string, has: Has) {
    super();
    this.#has = has;
    this.events = new Events(has);
    this.#domains = new Domains(this, has);
    this.#idempotency = new Idempotency(this, has);
    this.sessions = new Sessions({ origin, clock: this, domains: this.#domains, events: this.events, has });
  }

  /** Carries an operation out. @throws {SiteError} its refusals */
  async call(operation: string, call: Call): Promise<[status: number, body?: Body]> {
    const { tenant, id, body, query } = call;
    const has = this.#has;
    const { sessions } = this;
    const domains = this.#domains;
    switch (operation) {
      case "POST /sessions":
        return this.#idempotency.once(call, () => sessions.create(call));
      case "GET /sessions": {
        const own = sessions.all.filter((each) => each.tenant === tenant || has("lists-everything"));
        return [200, pageOf("sessions", query, own, (each) => ({ id: each.id }), has)];
      }
      case "GET /sessions/*":
        return [200, sessions.read(sessions.of(call))];
      case "POST /sessions/*/refresh":
        return [200, sessions.refresh(sessions.of(call))];
      case "POST /verify":
        return [200, verifyMessage(body, has, (message) => sessions.spend(message))];
      case "GET /domains": {
        const own = domains.all.filter((each) => each.tenant === tenant);
        return [200, pageOf("domains", query, own, (each) => domains.show(each), has)];
      }
      case "POST /domains":
        return [201, domains.register(tenant, body)];
      case "GET /domains/*":
        return [200, domains.show(domains.of(call))];
      case "PATCH /domains/*":
        return [200, domains.change(domains.of(call), body)];
      case "DELETE /domains/*": {
        const domain = domains.of(call);
        domains.all.splice(domains.all.indexOf(domain), 1);
        if (!has("sessions-outlive")) sessions.endOf(domain);
        return [204];
      }
      case "POST /domains/*/verify":
        return domains.prove(domains.of(call));
      case "POST /domains/*/rotate-secret":
        return [200, domains.rotate(domains.of(call))];
      case "POST /domains/*/test-event": {
        const domain = domains.of(call);
        const event = has("test-as-login") ? "login" : "test";
        return [
          202,
          { id: this.events.send(domain, domain.url, { event, session_id: "test", data: {} }).id },
        ];
      }
      case "GET /deliveries":
        return [200, deliveriesOf(tenant, query, this.events.all, has)];
      default: {
        const event = this.events.all.find((each) => each.id === id && each.domain.tenant === tenant);
        if (!event) throw new SiteError(404, "not_found");
        void this.events.attempt(event, has("event-new-id") ? 1 : 0);
        return [202, { id }];
      }
    }
  }
}
