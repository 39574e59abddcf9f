import type { Answer, HttpClient, Outgoing } from "../http-client.ts";

/** An answer of the other side, and what it answered. */
export type Answered = { request: Outgoing; answer: Answer };

/** A challenge that waits for a wallet, as far as it is the same in every flow. */
export type Code = { sid: string; challenge: string };

/** Changes of what a wallet sends, by the names of its fields. */
export type Changes = Record<string, unknown>;

/** What all checks of a run share: every answer so far. */
export type FlowRun = { answers: Answered[] };

/**
 * One kind of login at the site under test, as one check speaks to it. What all of them have alike is tried by the
 * checks of this folder; each flow says here how it does it.
 */
export abstract class Flow<Target = { origin: URL }, Run extends FlowRun = FlowRun> {
  readonly http: HttpClient;
  readonly target: Target;
  readonly run: Run;
  /** Lets so many seconds pass. */
  readonly wait: (seconds: number) => Promise<void>;
  /** How a challenge is refused that cannot be answered, and how a key or signature that is wrong. */
  abstract readonly refusals: { gone: number; unsigned: number };

  constructor(parts: Pick<Flow<Target, Run>, "http" | "target" | "run" | "wait">) {
    this.http = parts.http;
    this.target = parts.target;
    this.run = parts.run;
    this.wait = parts.wait;
  }

  /** A code that a wallet without an account may answer. @throws {Blocked} where there is none to be had */
  abstract issueForNew(): Promise<Code>;
  /** Another code of the same login. @throws {Blocked} where it is of another */
  abstract renew(code: Code): Promise<Code>;
  abstract newWallet(): object;
  /** Sends what a wallet posts for a code: a new one where that is enough. */
  abstract respond(code: Code, wallet?: object, changes?: Changes): Promise<Answer>;
  /** Who has answered a login, as far as its status tells; null for nobody. */
  abstract holderOf(sid: string): Promise<unknown>;
  /** Where wallets answer a code, or any that may be answered without an account. */
  abstract webhookOf(code?: Code): string;

  /** Makes sure that there is something to judge where a check runs alone. */
  abstract provoke(): Promise<void>;
  /** The answers of the flow's own endpoints: what checks look back at. */
  abstract ownAnswers(): readonly Answered[];
  /** The answers to wallets. */
  abstract walletAnswers(): readonly Answered[];
  /** @throws {Failure} unless a refusal is written as this flow writes them */
  abstract expectRefusal(answer: Answer, what: string): void;
  /** @throws {Failure} unless a 429 says when to come back */
  abstract expectLimited(answer: Answer): void;

  /** Sends a request that has nothing but a method and a path. */
  ask(method: string, path: string): Promise<Answer> {
    return this.http.send({ method, path });
  }

  /** Posts to a path; a text or bytes go as they stand, and anything else as JSON. */
  post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    more: Partial<Outgoing> = {},
  ): Promise<Answer> {
    return this.http.send({
      ...{ method: "POST", path, ...more },
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  }

  /** The answers of these paths. */
  answersOf(paths: readonly string[]): readonly Answered[] {
    return this.run.answers.filter(
      ({ request }) => paths.includes(request.path.split("?")[0] ?? "") && !request.hostile,
    );
  }
}
