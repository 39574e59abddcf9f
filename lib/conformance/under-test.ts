import type { Answer, HttpClient, Outgoing } from "./http-client.ts";

/** An answer of the other side, and what it answered. */
export type Answered = { request: Outgoing; answer: Answer };

/** What is under test, as one check speaks to it. */
export class UnderTest<Target, Run> {
  readonly http: HttpClient;
  readonly target: Target;
  /** What all checks of a run share. */
  readonly run: Run;
  /** Lets so many seconds pass. */
  readonly wait: (seconds: number) => Promise<void>;

  constructor(parts: Pick<UnderTest<Target, Run>, "http" | "target" | "run" | "wait">) {
    this.http = parts.http;
    this.target = parts.target;
    this.run = parts.run;
    this.wait = parts.wait;
  }
}
