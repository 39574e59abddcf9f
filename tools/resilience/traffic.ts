import { quantile } from "../bench/measure.ts";
import type { Answer, Client, SendOptions } from "../kit/client.ts";
import { type Outcome, type Stage, tally } from "./stage.ts";

/** A request and its outcome. */
type Exchange = {
  /** When the request was sent (performance.now()). */
  at: number;
  ms: number;
  /** The path without its query and without session ids. */
  path: string;
  outcome: Outcome;
  /** False for an error that is not in its endpoint's format, or a 503 that does not say when to try again. */
  wellFormed: boolean;
};

const AS_EVER = new Set<Outcome>([200, 201]);

/** Sends requests and records the outcome of each one. */
export class Traffic {
  readonly exchanges: Exchange[] = [];

  /** @returns the response, or null if the connection failed */
  async send(session: Client, path: string, ask?: SendOptions): Promise<Answer | null> {
    const at = performance.now();
    const [answer, outcome] = await session.send(path, ask).then(
      (answer): [Answer, Outcome] => [answer, answer.status],
      (error): [null, Outcome] => [null, codeOf(error)],
    );
    this.exchanges.push({
      at,
      ms: performance.now() - at,
      path: path.split("?", 1)[0]?.replace(/(sessions\/)[^/]+$/, "$1…") ?? "",
      outcome,
      wellFormed: answer === null || answer.status < 400 || isWellFormed(path, answer),
    });
    return answer;
  }

  summary(): string {
    return tally(this.exchanges.map(({ outcome }) => outcome));
  }

  /** Returns the latency (ms) that this share of the answered requests did not exceed. */
  latency(share: number, from = 0): number {
    const answeredExchanges = this.exchanges.filter(
      ({ at, outcome }) => at >= from && typeof outcome === "number",
    );
    return quantile(
      answeredExchanges.map(({ ms }) => ms).sort((a, b) => a - b),
      share,
    );
  }

  /** Returns, as `path outcome`, the requests that got neither their usual response nor a well-formed 503. */
  unexpected(): string[] {
    return this.exchanges
      .filter((request) => !request.wellFormed || !isExpected(request))
      .map(({ path, outcome }) => `${path} ${outcome}`);
  }

  /**
   * Records whether failing requests got a quick 503 in the API's format while PostgreSQL was unreachable.
   * @param times.away when PostgreSQL became unreachable, as in `performance.now()`
   * @param times.back when PostgreSQL might have been available again
   */
  checkUnavailable(
    stage: Stage,
    name: string,
    { away, back, withinMs }: { away: number; back: number; withinMs: number },
  ): void {
    const exchanges = this.exchanges.filter(({ at, ms }) => at + ms >= away);
    const refusals = exchanges.filter(({ outcome }) => outcome === 503);
    const others = this.unexpected();
    stage.check(
      `${name}: nothing but 503 in the API's form`,
      refusals.length > 0 && others.length === 0,
      [`${refusals.length} ×503`, ...others.slice(0, 5)].join(", "),
    );
    const last = Math.max(back, ...refusals.map(({ at, ms }) => at + ms)) - back;
    const works = exchanges.some(({ at, outcome }) => at > back + last && outcome === 200);
    stage.checkWithin(`${name}: everything works again`, works ? last : null, withinMs);
  }
}

/**
 * Returns whether a request was answered as usual, with 503, or as for a lost code. A page shows a code before it is on
 * disk, so codes from the last moment before a crash are then unknown. A wallet whose first attempt was accepted but
 * not answered gets 408 for the second. A code that expired while the database was unreachable is replaced.
 */
function isExpected({ path, outcome }: Exchange): boolean {
  return (
    AS_EVER.has(outcome) ||
    outcome === 503 ||
    (outcome === 408 && /^\/webhook\/(login$|sessions\/)/.test(path)) ||
    (outcome === 400 && path === "/api/fastauth") ||
    (outcome === 410 && /^\/sandbox\/v1\/sessions\/./.test(path)) ||
    (outcome === 404 && path === "/api/svc/check")
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Fast login's errors are plain text. Those of all other endpoints have the API's format. */
function isWellFormed(path: string, { status, headers, body }: Answer): boolean {
  if (status === 503 && !/^[1-9]\d*$/.test(headers["retry-after"] ?? "")) return false;
  if (/^\/api\/(getqrcode|fastauth|checkfast)/.test(path)) return !body.startsWith("<") && body !== "";
  return isErrorBody(body);
}

function isErrorBody(body: string): boolean {
  try {
    const { error } = JSON.parse(body);
    return (
      typeof error.code === "string" && typeof error.message === "string" && typeof error.details === "object"
    );
  } catch {
    return false;
  }
}
