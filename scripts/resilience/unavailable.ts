import { seconds } from "../kit/waiting.ts";
import type { Stage } from "./stage.ts";
import type { Exchange, Traffic } from "./traffic.ts";

const AS_EVER = new Set<number | string>([200, 201]);

/**
 * While PostgreSQL is away the answer is 503 in the API's form and nothing else, and not for long.
 * @param since when it went (performance.now()), and when it could have been back
 */
export function checkUnavailable(
  stage: Stage,
  name: string,
  traffic: Traffic,
  since: { away: number; back: number; withinMs: number },
): void {
  const exchanges = traffic.exchanges.filter(({ at, ms }) => at + ms >= since.away);
  const refused = exchanges.filter(({ outcome }) => outcome === 503);
  const others = unexpected(traffic);
  stage.say(`requests: ${traffic.summary()}`);
  stage.check(
    `${name}: nothing but 503 in the API's form`,
    refused.length > 0 && others.length === 0,
    [`${refused.length} ×503`, ...others.slice(0, 5).map(({ path, outcome }) => `${path} ${outcome}`)].join(
      ", ",
    ),
  );
  const last = Math.max(since.back, ...refused.map(({ at, ms }) => at + ms)) - since.back;
  const works = exchanges.some(({ at, outcome }) => at > since.back + last && outcome === 200);
  stage.check(
    `everything works again within ${seconds(since.withinMs)}`,
    works && last < since.withinMs,
    `the last 503 after ${seconds(last)}`,
  );
}

/** Requests that came to neither what they come to on a good day, nor a well-formed 503. */
export function unexpected(traffic: Traffic): Exchange[] {
  return traffic.exchanges.filter((exchange) => {
    const { outcome, wellFormed } = exchange;
    return !wellFormed || !(AS_EVER.has(outcome) || outcome === 503 || isLostCode(exchange));
  });
}

/**
 * A code is not waited for until it is on the disk: those of a crash's last moment are unknown afterwards. And a wallet
 * whose first try was taken and never answered hears 408 at the next. One that ran out while the database was away is replaced.
 */
function isLostCode({ path, outcome }: Exchange): boolean {
  return (
    (/^\/webhook\/(login$|sessions\/)/.test(path) && outcome === 408) ||
    (path === "/api/fastauth" && outcome === 400) ||
    (/^\/sandbox\/v1\/sessions\/./.test(path) && outcome === 410) ||
    (path === "/api/svc/check" && outcome === 404)
  );
}
