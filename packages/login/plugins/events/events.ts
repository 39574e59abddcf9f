import { runWithDatabaseWait } from "../../database/database-wait.ts";
import { POLL_INTERVAL_SECONDS } from "../../protocol/numbers.ts";
import { checkBrowserLogin } from "../../server/check-login.ts";
import { readBindingSecret } from "../../server/cookies.ts";
import { requireSid } from "../../server/web-request.ts";
import { connectionConfig } from "../../site/migrate.ts";
import type { Plugin, Site, SiteCall } from "../../site/plugin.ts";
import { eventStreams } from "./event-streams.ts";
import { openLoginNotifications } from "./login-listener.ts";
import { FINAL_EVENT_ID, type LoginStatus, type Subscribe, watchLogin } from "./watch-login.ts";

/**
 * Notifies a browser of its login's changes as they happen (docs/protocol.md#34-get-apisvcevents). Without this plugin,
 * pages poll.
 * @param options.subscribe for an application that already listens to PostgreSQL's notifications
 */
export function events({ subscribe }: { subscribe?: Subscribe } = {}): Plugin<"events"> {
  return {
    name: "events",
    routes(site) {
      const subscribed = subscribe ?? createSubscribe(site);
      const handle = (call: SiteCall) => watch(subscribed, call);
      return { "/api/svc/events": { methods: ["GET"], limit: "events", handle } };
    },
  };
}

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-store, no-transform",
  // nginx would buffer events until its buffer is full.
  "X-Accel-Buffering": "no",
};

async function watch(subscribe: Subscribe, { core, request, client, query }: SiteCall): Promise<Response> {
  const secret = readBindingSecret(request.headers.get("cookie"), core.origin);
  const sid = requireSid(query);
  return streamLoginEvents(subscribe, { request, client }, sid, () =>
    checkBrowserLogin(core, { sid, secret }),
  );
}

/**
 * Responds with the events of a login.
 * @param look reads the login's status, for the bound browser only
 * @throws {Refusal} as `look`; 429 or 503 if no more streams are allowed
 */
export async function streamLoginEvents(
  subscribe: Subscribe,
  { request, client }: { request: Request; client: string },
  sid: string,
  look: () => Promise<LoginStatus>,
): Promise<Response> {
  // Only this status keeps an `EventSource` from reconnecting every three seconds after the login has ended.
  if (request.headers.get("last-event-id") === FINAL_EVENT_ID) return new Response(null, { status: 204 });
  const place = eventStreams().reserve(client);
  const { signal } = request;
  return new Response(await watchLogin(sid, look, { subscribe, place, signal }), { headers: HEADERS });
}

/** Subscribes to the notifications of a site that has no other connection for them. */
export function createSubscribe({ options: { databaseUrl }, onFailure }: Site): Subscribe {
  if (databaseUrl === undefined) return lookEveryPoll;
  const notifications = openLoginNotifications(connectionConfig(databaseUrl), (error) =>
    onFailure("no notices of logins, trying again", error),
  );
  // All requests share the connection, so it must not end when the request that opened it runs out of time.
  return (sid, listener) => runWithDatabaseWait(undefined, () => notifications.subscribe(sid, listener));
}

/** If there is no listening connection, a stream polls the database as often as a page polls the server. */
const lookEveryPoll: Subscribe = (sid, listener) => {
  const timer = setInterval(() => listener({ sid }), POLL_INTERVAL_SECONDS * 1000);
  return () => clearInterval(timer);
};
