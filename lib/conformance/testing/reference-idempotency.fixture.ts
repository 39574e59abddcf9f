import type { Clocked } from "./clocked.fixture.ts";
import type { Has } from "./planted.fixture.ts";
import type { Body, Call } from "./reference-call.fixture.ts";
import { invalid, SiteError } from "./site-error.fixture.ts";

/** The idempotency keys of the reference API, and the places where a fault changes what they do. */
export class Idempotency {
  readonly #clock: Clocked;
  readonly #has: Has;
  readonly #kept = new Map<string, { body: string; answer: Promise<[number, Body]> }>();

  constructor(clock: Clocked, has: Has) {
    this.#clock = clock;
    this.#has = has;
  }

  async once(call: Call, create: () => Body): Promise<[number, Body]> {
    const { idempotencyKey: key, tenant, body } = call;
    if (key === undefined || this.#has("idempotency-ignored")) return [201, create()];
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
      return [status, this.#has("idempotency-anew") ? { ...answer, created_at: this.#clock.iso(1) } : answer];
    }
    const made: [number, Body] = [201, create()];
    if (this.#has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#kept.set(name, { body: text, answer: Promise.resolve(made) });
    return made;
  }
}
