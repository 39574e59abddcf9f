import { BlockedError, CannotRun, type Check, CheckFailure, checksOf, PostponedError } from "../check.ts";
import { errorOf } from "../flow/errors.ts";
import { bodyOf, type HttpClient, type Outgoing } from "../http-client.ts";
import type { RunOutcome } from "../run-checks.ts";
import { noServerError, runOverHttp, sleep, type TimedRun } from "../run-over-http.ts";
import { HOSTED_TEXTS } from "../texts/hosted.ts";
import { Api, type HostedRun, type HostedTarget } from "./api.ts";
import { AUTHENTICATION_CHECKS } from "./authentication.ts";
import { DOMAIN_CHECKS } from "./domains.ts";
import { EVENT_CHECKS } from "./events.ts";
import { HOSTED_RULE_CHECKS } from "./rules.ts";
import { SESSION_CHECKS } from "./sessions.ts";
import { SESSION_RESPONSE_CHECKS, VERIFY_CHECKS } from "./signatures.ts";

/** The large burst comes early, before other checks have used up the limits. */
export const HOSTED_CHECKS: readonly Check<Api>[] = checksOf(HOSTED_TEXTS, {
  ...SESSION_RESPONSE_CHECKS,
  ...AUTHENTICATION_CHECKS,
  ...SESSION_CHECKS,
  ...VERIFY_CHECKS,
  ...DOMAIN_CHECKS,
  ...EVENT_CHECKS,
  ...HOSTED_RULE_CHECKS,
});

export type HostedServerRun = TimedRun<Api> & {
  target: HostedTarget;
  /** For an event or its second attempt. By default, 20. */
  patienceSeconds?: number;
};

/** An event is sent within moments and sent again within seconds. */
const PATIENCE_SECONDS = 20;

/**
 * Acts as a customer's server and as the wallets of the customer's users.
 * @throws {CannotRun} if there is no such API, or if the key is not valid
 */
export function runHosted(options: HostedServerRun): Promise<RunOutcome> {
  const { target, wait = sleep, patienceSeconds = PATIENCE_SECONDS } = options;
  const { origin, base, key } = target;
  const run: HostedRun = { answers: [], codes: [], domains: [], patienceSeconds };
  const apiOf = (http: HttpClient) => new Api({ http, target, run, wait });
  const creation = { method: "POST", path: `${base}/sessions`, headers: { Authorization: `Bearer ${key}` } };
  return runOverHttp(options, {
    ...{ origin, checks: HOSTED_CHECKS, lanes: 4, answers: run.answers },
    room: { count: 10, of: [creation, { method: "POST", path: "/webhook/sessions/any" }] },
    limitOf: (request) => limitOf(request, target),
    probe: (client) => probe(apiOf(client)),
    contextOf: apiOf,
    cleanUp: (client) => deleteDomains(apiOf(client)),
  });
}

/** docs/protocol.md#24-limits. Identifiers in the path make no difference. */
function limitOf({ method = "GET", path, headers = {} }: Outgoing, { base }: HostedTarget): string {
  if (path.startsWith("/webhook/")) return "webhook";
  const [operation = ""] = path.slice(base.length).split("?");
  const tenant = headers.Authorization ?? "";
  if (operation.startsWith("/sessions") && method === "GET") return `read ${tenant}`;
  if (operation === "/sessions" || operation === "/verify") return `${operation} ${tenant}`;
  return `others ${tenant}`;
}

/** @throws {CannotRun} unless the server looks like this API and accepts the key */
async function probe(api: Api): Promise<void> {
  const { origin, base, key, otherKey } = api.target;
  try {
    await probeKey(api, key);
    if (otherKey !== null) await probeKey(api, otherKey);
  } catch (error) {
    if (error instanceof CheckFailure) throw noServerError(origin.origin, error, "API");
    if (error instanceof PostponedError)
      throw new CannotRun(`The limit of ${origin.origin + base} is used up. Try again in a minute.`);
    throw error;
  }
}

async function probeKey(api: Api, key: string): Promise<void> {
  const where = api.target.origin.origin + api.target.base;
  const answer = await api.call("GET", "/domains", undefined, { key });
  if (answer.status === 200 && Array.isArray(bodyOf(answer).domains)) return;
  if (answer.status === 401 && errorOf(answer).code === "invalid_api_key")
    throw new CannotRun(
      `${where} does not know the key ${key.slice(0, 12)}… Create one in its console or with its command line.`,
    );
  throw new CannotRun(
    `${where}/domains is not a hosted API (${answer.status}). Pass its base with --url, or omit --flow to test a site's own login.`,
  );
}

/** Domains count against the tenant's quota. Their sessions and events are deleted with them. */
async function deleteDomains(api: Api): Promise<void> {
  for (const id of api.run.domains) {
    try {
      await api.call("DELETE", `/domains/${id}`, undefined, { expectsLimit: true });
    } catch (error) {
      // The API has stopped, or the request budget is used up. The results are still valid.
      if (!(error instanceof CheckFailure || error instanceof BlockedError)) throw error;
    }
  }
}
