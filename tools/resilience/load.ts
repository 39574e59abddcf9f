import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Answer, Client, type SendOptions } from "../kit/client.ts";
import { registerWallet } from "../kit/login.ts";
import type { Tenant } from "../kit/run-admin.ts";
import { FastWallet, type TestWallet } from "../kit/test-wallet.ts";
import { Traffic } from "./traffic.ts";

/** Unless the person waits for longer. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 400;
/** The page then shows a new code. */
const CODE_MS = 30_000;
/**
 * After this many logins, a person gets a new wallet. An account has at most 100 browser sessions, so with more logins,
 * a wallet would end its own earlier sessions.
 */
const LOGINS_PER_WALLET = 50;
const SESSION_COOKIE = "next-auth.session-token";

export type FlowName = "login" | "hosted" | "fast";

/** Compared with the database later. */
export class Ledger {
  /** The wallet response got a 200. */
  acknowledged: { flow: FlowName; id: string }[] = [];
  /** Completed logins, with the time of completion (performance.now()) and the signed-in browser, if there is one. */
  done: { flow: FlowName; at: number; browser?: Client }[] = [];
  /** How many codes no longer existed when the page asked for their status. The page then showed a new code. */
  codesLost = 0;
  readonly failures: string[] = [];

  get signedIn(): number {
    return this.done.length;
  }

  copy(): Ledger {
    return Object.assign(new Ledger(), {
      acknowledged: [...this.acknowledged],
      done: [...this.done],
      codesLost: this.codesLost,
    });
  }

  idsOf(flow: FlowName): string[] {
    return this.acknowledged.filter((login) => login.flow === flow).map(({ id }) => id);
  }
}

type Person = { origin: string; wallet: TestWallet; tenant?: Tenant; patienceMs?: number };
type RetryingRequest = (expected: number | number[], path: string, ask?: SendOptions) => Promise<Answer>;
type ShownCode = { id: string; path: string; answer: SendOptions };

type Flow = {
  show(ask: RetryingRequest, person: Person): Promise<ShownCode>;
  /** For a wallet, if the code is used, expired or unknown. */
  refused: number;
  /** For a browser whose code no longer exists. */
  gone: number;
  check(id: string, person: Person): [path: string, ask?: SendOptions];
  authenticated: string;
  signIn?(ask: RetryingRequest, id: string): Promise<unknown>;
};

const Code = z.object({ sid: z.string(), challenge: z.string() });
const Created = z.object({ id: z.string(), challenge: z.string() });
const FastCode = z.object({ sid: z.string(), qr: z.string() });
const Csrf = z.object({ csrfToken: z.string() });
const newAttempt = () => randomBytes(16).toString("hex");

const FLOWS: Record<FlowName, Flow> = {
  login: {
    async show(ask, { wallet }) {
      const { sid, challenge } = Code.parse(JSON.parse((await ask(200, "/api/svc/qr?mode=login")).body));
      return { id: sid, path: "/webhook/login", answer: { json: wallet.response(challenge) } };
    },
    refused: 408,
    gone: 404,
    check: (id) => [`/api/svc/check?sid=${id}`],
    authenticated: '"authenticated"',
    signIn: (ask, sid) => ask(200, "/api/svc/sign-in", { json: { sid, attempt: newAttempt() } }),
  },
  hosted: {
    async show(ask, { wallet, tenant }) {
      // If this request is repeated after a failure, the response contains the same session because of this key.
      const headers = { ...tenant?.headers, "Idempotency-Key": randomUUID() };
      const created = await ask(201, "/sandbox/v1/sessions", { json: { domain: tenant?.domain }, headers });
      const { id, challenge } = Created.parse(JSON.parse(created.body));
      return { id, path: `/webhook/sessions/${id}`, answer: { json: wallet.response(challenge) } };
    },
    refused: 408,
    gone: 410,
    check: (id, { tenant }) => [`/sandbox/v1/sessions/${id}`, { headers: tenant?.headers }],
    authenticated: '"authenticated"',
  },
  fast: {
    async show(ask) {
      const { sid, qr } = FastCode.parse(JSON.parse((await ask(200, "/api/getqrcode?sid=")).body));
      const { pathname, search } = new URL(qr);
      return { id: sid, path: pathname + search, answer: { form: new FastWallet().fields(qr) } };
    },
    refused: 400,
    gone: 200,
    check: (id) => [`/api/checkfast?sid=${id}`],
    authenticated: '"status":1',
    async signIn(ask, sid) {
      const { csrfToken } = Csrf.parse(JSON.parse((await ask(200, "/api/auth/csrf")).body));
      const form = { csrfToken, sid, attempt: newAttempt(), json: "true" };
      await ask(200, "/api/auth/callback/fast", { form });
    },
  },
};

type LoadOptions = {
  origin: string;
  people: number;
  /** If this is set, half as many people also log in to the tenant's site through the hosted API. */
  tenant?: Tenant;
  /** With a Bitcoin address; 0 by default. */
  fast?: number;
  /** Between two logins of one person. */
  pauseMs?: number;
  /** For one login; 30 s by default. */
  patienceMs?: number;
};

/** People log in again and again until they are stopped. */
export class Load {
  readonly traffic = new Traffic();
  readonly ledger = new Ledger();
  readonly #person: Person;
  readonly #loops: Promise<void>[] = [];
  #stopped = false;

  /** Each person gets a new wallet after 50 logins. */
  static async start(options: LoadOptions): Promise<Load> {
    return new Load({ ...options, wallet: await registerWallet(options.origin) });
  }

  private constructor(options: LoadOptions & { wallet: TestWallet }) {
    const { people, fast = 0, pauseMs = 0, ...person } = options;
    this.#person = person;
    const repeat = async (flow: FlowName) => {
      let [wallet, left] = [person.wallet, 0];
      while (!this.#stopped) {
        if (left <= 0) {
          const registered = await registerWallet(person.origin).catch(() => null);
          if (registered) [wallet, left] = [registered, LOGINS_PER_WALLET];
        }
        await this.logIn(flow, wallet);
        left -= 1;
        await sleep(pauseMs);
      }
    };
    const begin = (flow: FlowName, count: number) => {
      for (let index = 0; index < count; index++) this.#loops.push(repeat(flow));
    };
    begin("login", people);
    begin("hosted", person.tenant ? people / 2 : 0);
    begin("fast", fast);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  /**
   * Performs a login as people do. If a request fails (no response, 429 or 5xx), the page or the wallet repeats it. If
   * the code no longer exists, the page requests a new one. The login fails if the browser is not signed in after 30
   * seconds, or if a response has any other unexpected status.
   */
  async logIn(name: FlowName, wallet = this.#person.wallet): Promise<void> {
    const flow = FLOWS[name];
    const browser = new Client(this.#person.origin);
    try {
      const ask = this.#patient(browser);
      const id = await this.#answerCode(name, ask, wallet);
      await flow.signIn?.(ask, id);
      if (flow.signIn && !browser.hasCookie(SESSION_COOKIE)) throw new Error("no session at the end");
      this.ledger.done.push({
        flow: name,
        at: performance.now(),
        browser: flow.signIn ? browser : undefined,
      });
    } catch (error) {
      this.ledger.failures.push(error instanceof Error ? error.message : String(error));
    }
  }

  /** Returns the id of the answered login. */
  async #answerCode(name: FlowName, ask: RetryingRequest, wallet: TestWallet): Promise<string> {
    const flow = FLOWS[name];
    for (;;) {
      const { id, path, answer } = await flow.show(ask, { ...this.#person, wallet });
      const shownAt = performance.now();
      const respond = this.#patient(new Client(this.#person.origin));
      const { status: delivered } = await respond([200, flow.refused], path, answer);
      if (delivered === 200) this.ledger.acknowledged.push({ flow: name, id });
      // If a wallet's first attempt was accepted but the response was lost, the second attempt is refused. The status
      // then shows that the login was answered.
      const { status, body } = await ask([200, flow.gone], ...flow.check(id, this.#person));
      if (body.includes(flow.authenticated)) return id;
      const ranOut = delivered === flow.refused && performance.now() - shownAt > CODE_MS;
      if (delivered === 200 || (status !== flow.gone && !ranOut))
        throw new Error(`${delivered}, then ${body}`);
      this.ledger.codesLost++;
    }
  }

  /**
   * Repeats a request until the response has one of the expected statuses. Any other status below 500, except 429,
   * means that the login has failed.
   */
  #patient(session: Client): RetryingRequest {
    const { patienceMs = PATIENCE_MS } = this.#person;
    const until = performance.now() + patienceMs;
    return async (expected, path, ask) => {
      for (;;) {
        const answer = await this.traffic.send(session, path, ask);
        if (answer && [expected].flat().includes(answer.status)) return answer;
        if (answer && answer.status < 500 && answer.status !== 429) {
          throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 200)}`);
        }
        if (performance.now() > until) throw new Error(`${path}: not within ${patienceMs / 1000} s`);
        await sleep(PAUSE_MS);
      }
    };
  }
}
