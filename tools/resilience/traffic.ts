import { quantile } from "../bench/measure.ts";
import type { Answer, Client, SendOptions } from "../kit/client.ts";
import { type Outcome, type Stage, tally } from "./stage.ts";

type Exchange = {
  /** When the request was sent (performance.now()). */
  at: number;
  ms: number;
  /** Without the query and session ids. */
  path: string;
  outcome: Outcome;
  /**
   * False for an error that does not have the format of its endpoint, and for a 503 that does not say when to try
   * again.
   */
  wellFormed: boolean;
};

const AS_EVER = new Set<Outcome>([200, 201]);

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

  /** In ms, not exceeded by this share of the answered requests. */
  latency(share: number, from = 0): number {
    const answeredExchanges = this.exchanges.filter(
      ({ at, outcome }) => at >= from && typeof outcome === "number",
    );
    return quantile(
      answeredExchanges.map(({ ms }) => ms).sort((a, b) => a - b),
      share,
    );
  }

  /** As `path outcome`: neither the usual response nor a well-formed 503. */
  unexpected(): string[] {
    return this.exchanges
      .filter((request) => !request.wellFormed || !isExpected(request))
      .map(({ path, outcome }) => `${path} ${outcome}`);
  }

  /**
   * Records whether requests that failed while PostgreSQL was unreachable got a quick 503 in the format of the API.
   * @param times.away when PostgreSQL became unreachable (performance.now())
   * @param times.back when PostgreSQL might have been available again (performance.now())
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
 * Returns whether a response is a usual one, a 503, or one that a lost code explains. A page shows a code before the
 * code is on disk, so after a crash, codes from the last moment are unknown. If a wallet's first attempt was accepted
 * but its response was lost, the second attempt gets 408. A code that expired while the database was unreachable is
 * replaced.
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

/**
 * Returns whether an error has the right format: plain text for a fast login, and the API's format for all other
 * endpoints.
 */
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
