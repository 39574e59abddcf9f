import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Answer, type Ask, Client } from "../kit/client.ts";
import { FastWallet, type TestWallet } from "../kit/test-wallet.ts";
import type { Tenant } from "./tenant.ts";
import type { Traffic } from "./traffic.ts";

const Code = z.object({ sid: z.string(), challenge: z.string() });
const Csrf = z.object({ csrfToken: z.string() });
const FastCode = z.object({ sid: z.string(), qr: z.string() });
const Created = z.object({ id: z.string(), challenge: z.string() });

/** Longer than a challenge lives: a login that takes more has failed, unless its person waits for longer. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 400;
/** The page shows another code after this long. */
const CODE_MS = 30_000;
const SESSION_COOKIE = "next-auth.session-token";

/** What the application has acknowledged, to be compared with the database afterwards. */
export class Ledger {
  /** Logins whose wallet response was answered with 200 to the wallet. */
  readonly logins: string[] = [];
  /** The same of hosted sessions. */
  readonly sessions: string[] = [];
  /** The same of fast logins. */
  readonly fast: string[] = [];
  /** Logins that came to their end. */
  readonly done: Done[] = [];
  /** Codes that the server no longer knew when they were asked about: the page showed another. */
  codesLost = 0;
  readonly failures: string[] = [];

  get signedIn(): number {
    return this.done.length;
  }
}

/** When it ended, by performance.now(), and the browser that holds the session; none on the hosted API. */
export type Done = { flow: "login" | "hosted" | "fast"; at: number; browser?: Client };

/** A user who logs in, and where. */
export type Person = {
  origin: string;
  wallet: TestWallet;
  traffic: Traffic;
  ledger: Ledger;
  patienceMs?: number;
};

/**
 * A login as people make it. Page and wallet ask again after a request that failed: no answer, 429 or 5xx; the page
 * asks for another code when its own is gone. It has failed when the browser is not signed in after 30 seconds, or
 * when an answer says so.
 */
export async function logIn(person: Person): Promise<void> {
  const { origin, ledger } = person;
  const browser = new Client(origin);
  try {
    const ask = patient(person, browser);
    const sid = await answerCode(person, ask);
    const attempt = randomBytes(16).toString("hex");
    await ask(200, "/api/svc/sign-in", { json: { sid, attempt } });
    if (!browser.cookies.has(SESSION_COOKIE)) throw new Error("no session at the end");
    ledger.done.push({ flow: "login", at: performance.now(), browser });
  } catch (error) {
    ledger.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/** Shows codes until one is answered; returns its sid. */
async function answerCode(person: Person, ask: ReturnType<typeof patient>): Promise<string> {
  const { origin, wallet, ledger } = person;
  for (;;) {
    const { sid, challenge } = Code.parse(JSON.parse((await ask(200, "/api/svc/qr?mode=login")).body));
    const shown = performance.now();
    const json = wallet.response(challenge);
    const delivered = await patient(person, new Client(origin))([200, 408], "/webhook/login", { json });
    if (delivered.status === 200) ledger.logins.push(sid);
    // A wallet whose first try was taken and never answered hears 408 at the next: the browser knows better.
    const { status, body } = await ask([200, 404], `/api/svc/check?sid=${sid}`);
    if (body.includes('"authenticated"')) return sid;
    const ranOut = delivered.status === 408 && performance.now() - shown > CODE_MS;
    if ((status === 200 && !ranOut) || delivered.status === 200) {
      throw new Error(`${delivered.status}, then ${body}`);
    }
    ledger.codesLost++;
  }
}

/** The same on the hosted API: a customer's server asks for a session, a wallet answers it. */
export async function logInHosted(person: Person, tenant: Tenant): Promise<void> {
  const { origin, wallet, ledger } = person;
  const ask = patient(person, new Client(origin));
  try {
    for (;;) {
      // Asked again after a failure, the same session is answered.
      const headers = { ...tenant.headers, "Idempotency-Key": randomUUID() };
      const created = await ask(201, "/sandbox/v1/sessions", { json: { domain: tenant.domain }, headers });
      const { id, challenge } = Created.parse(JSON.parse(created.body));
      const json = wallet.response(challenge);
      const { status } = await ask([200, 408], `/webhook/sessions/${id}`, { json });
      if (status === 200) ledger.sessions.push(id);
      const found = await ask([200, 410], `/sandbox/v1/sessions/${id}`, { headers: tenant.headers });
      if (found.body.includes('"authenticated"')) break;
      if (found.status === 200 || status === 200) throw new Error(`${status}, then ${found.body}`);
      // It ran out while nobody could answer it.
      ledger.codesLost++;
    }
    ledger.done.push({ flow: "hosted", at: performance.now() });
  } catch (error) {
    ledger.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/** The same with a Bitcoin address, which signs in by NextAuth's two requests. */
export async function logInFast(person: Person): Promise<void> {
  const { origin, ledger } = person;
  const browser = new Client(origin);
  const wallet = new FastWallet();
  try {
    const ask = patient(person, browser);
    for (;;) {
      const { sid, qr } = FastCode.parse(JSON.parse((await ask(200, "/api/getqrcode?sid=")).body));
      const { pathname, search } = new URL(qr);
      const form = wallet.fields(qr);
      const delivered = await patient(person, new Client(origin))([200, 400], pathname + search, { form });
      if (delivered.status === 200) ledger.fast.push(sid);
      const { body } = await ask(200, `/api/checkfast?sid=${sid}`);
      if (body.includes('"status":1')) {
        const { csrfToken } = Csrf.parse(JSON.parse((await ask(200, "/api/auth/csrf")).body));
        const attempt = randomBytes(16).toString("hex");
        await ask(200, "/api/auth/callback/fast", { form: { csrfToken, sid, attempt, json: "true" } });
        break;
      }
      if (delivered.status === 200) throw new Error(`200, then ${body}`);
      ledger.codesLost++;
    }
    if (!browser.cookies.has(SESSION_COOKIE)) throw new Error("no session at the end");
    ledger.done.push({ flow: "fast", at: performance.now(), browser });
  } catch (error) {
    ledger.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/** Asks again until the answer is one of those expected; any other that is no passing failure ends the login. */
function patient({ traffic, patienceMs = PATIENCE_MS }: Person, session: Client) {
  const until = performance.now() + patienceMs;
  return async (expected: number | number[], path: string, ask?: Ask): Promise<Answer> => {
    for (;;) {
      const answer = await traffic.send(session, path, ask);
      if (answer && [expected].flat().includes(answer.status)) return answer;
      if (answer && answer.status < 500 && answer.status !== 429) {
        throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 200)}`);
      }
      if (performance.now() > until) throw new Error(`${path}: not within ${patienceMs / 1000} s`);
      await sleep(PAUSE_MS);
    }
  };
}
