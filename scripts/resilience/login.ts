import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Answer, type Ask, Client } from "../kit/client.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import type { Tenant } from "./tenant.ts";
import type { Traffic } from "./traffic.ts";

const Code = z.object({ sid: z.string(), challenge: z.string() });
const Created = z.object({ id: z.string(), challenge: z.string() });

/** Longer than a challenge lives: a login that takes more has failed. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 400;

/** What the application has acknowledged, to be compared with the database afterwards. */
export class Ledger {
  /** Logins whose wallet response was answered with 200 to the wallet. */
  readonly logins: string[] = [];
  /** The same of hosted sessions. */
  readonly sessions: string[] = [];
  signedIn = 0;
  /** Codes that the server no longer knew when they were asked about: the page showed another. */
  codesLost = 0;
  readonly failures: string[] = [];
}

/** A user who logs in, and where. */
export type Person = { origin: string; wallet: TestWallet; traffic: Traffic; ledger: Ledger };

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
    if (!browser.cookies.has("next-auth.session-token")) throw new Error("no session at the end");
    ledger.signedIn++;
  } catch (error) {
    ledger.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/** Shows codes until one is answered; returns its sid. */
async function answerCode(person: Person, ask: ReturnType<typeof patient>): Promise<string> {
  const { origin, wallet, ledger } = person;
  for (;;) {
    const { sid, challenge } = Code.parse(JSON.parse((await ask(200, "/api/svc/qr?mode=login")).body));
    const json = wallet.response(challenge);
    const delivered = await patient(person, new Client(origin))([200, 408], "/webhook/login", { json });
    if (delivered.status === 200) ledger.logins.push(sid);
    // A wallet whose first try was taken and never answered hears 408 at the next: the browser knows better.
    const { status, body } = await ask([200, 404], `/api/svc/check?sid=${sid}`);
    if (body.includes('"authenticated"')) return sid;
    if (status === 200 || delivered.status === 200) throw new Error(`${delivered.status}, then ${body}`);
    ledger.codesLost++;
  }
}

/** The same on the hosted API: a customer's server asks for a session, a wallet answers it. */
export async function logInHosted(person: Person, tenant: Tenant): Promise<void> {
  const { origin, wallet, ledger } = person;
  const ask = patient(person, new Client(origin));
  try {
    // Asked again after a failure, the same session is answered.
    const headers = { ...tenant.headers, "Idempotency-Key": randomUUID() };
    const created = await ask(201, "/sandbox/v1/sessions", { json: { domain: tenant.domain }, headers });
    const { id, challenge } = Created.parse(JSON.parse(created.body));
    const json = wallet.response(challenge);
    const { status } = await ask([200, 408], `/webhook/sessions/${id}`, { json });
    if (status === 200) ledger.sessions.push(id);
    const { body } = await ask(200, `/sandbox/v1/sessions/${id}`, { headers: tenant.headers });
    if (!body.includes('"authenticated"')) throw new Error(`${status}, then ${body}`);
    ledger.signedIn++;
  } catch (error) {
    ledger.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/** Asks again until the answer is one of those expected; any other that is no passing failure ends the login. */
function patient({ traffic }: Person, session: Client) {
  const until = performance.now() + PATIENCE_MS;
  return async (expected: number | number[], path: string, ask?: Ask): Promise<Answer> => {
    for (;;) {
      const answer = await traffic.send(session, path, ask);
      if (answer && [expected].flat().includes(answer.status)) return answer;
      if (answer && answer.status < 500 && answer.status !== 429) {
        throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 200)}`);
      }
      if (performance.now() > until) throw new Error(`${path}: not within ${PATIENCE_MS / 1000} s`);
      await sleep(PAUSE_MS);
    }
  };
}
