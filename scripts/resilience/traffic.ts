import { quantile } from "../bench/measure.ts";
import type { Answer, Ask, Client } from "../kit/client.ts";

/** A request and what it came to. */
export type Exchange = {
  /** When it was sent: performance.now(). */
  at: number;
  ms: number;
  /** Without its query, the last part of it replaced where it names something. */
  path: string;
  /** The status, or the code of the connection's error. */
  outcome: number | string;
  /** No error, or one in its endpoint's form; a 503 says when to try again. */
  wellFormed: boolean;
};

/** Sends requests and remembers what became of each. */
export class Traffic {
  readonly exchanges: Exchange[] = [];

  /** @returns the answer, or null where the connection failed */
  async send(session: Client, path: string, ask?: Ask): Promise<Answer | null> {
    const at = performance.now();
    let answer: Answer | null = null;
    let outcome: number | string;
    try {
      answer = await session.send(path, ask);
      outcome = answer.status;
    } catch (error) {
      outcome = codeOf(error);
    }
    this.exchanges.push({
      at,
      ms: performance.now() - at,
      path: path.split("?", 1)[0]?.replace(/(sessions\/)[^/]+$/, "$1…") ?? "",
      outcome,
      wellFormed: answer === null || answer.status < 400 || isWellFormed(path, answer),
    });
    return answer;
  }

  /** How often each outcome was seen, such as `200 ×41, 503 ×3`. */
  summary(from = 0): string {
    const counts = new Map<number | string, number>();
    for (const { at, outcome } of this.exchanges) {
      if (at >= from) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([a], [b]) => String(a).localeCompare(String(b)));
    return sorted.map(([outcome, count]) => `${outcome} ×${count}`).join(", ");
  }

  /** The time (ms) below which a share of the answered requests stayed. */
  latency(share: number, from = 0): number {
    const times = this.exchanges.filter(({ at, outcome }) => at >= from && typeof outcome === "number");
    return quantile(
      times.map(({ ms }) => ms).sort((a, b) => a - b),
      share,
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Fast login answers in plain text, all else in the API's form. */
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
