import { runWithDatabaseWaitTimer } from "../../database/database-wait.ts";
import { POLL_INTERVAL_SECONDS } from "../../protocol/numbers.ts";
import { checkBrowserLogin } from "../../server/check-login.ts";
import { readBindingSecret } from "../../server/cookies.ts";
import { requireSid } from "../../server/web-request.ts";
import { createConnectionConfig } from "../../site/migrate.ts";
import type { Plugin, Site, SiteCall } from "../../site/plugin.ts";
import { eventStreams } from "./event-streams.ts";
import { openLoginNotifications } from "./login-listener.ts";
import { FINAL_EVENT_ID, type LoginStatus, type Subscribe, watchLogin } from "./watch-login.ts";

/**
 * Without this plugin, pages only poll (docs/protocol.md#34-get-apisvcevents).
 * @param options.subscribe subscribes to a login's changes, in an application that already listens for PostgreSQL's
 * notifications
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
  // Without this header, nginx would hold back events until its buffer is full.
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
 * @param look reads the login's status, but only for the browser to which the login is bound
 * @throws {Refusal} any that `look` throws; 429 or 503 if no more streams are allowed
 */
export async function streamLoginEvents(
  subscribe: Subscribe,
  { request, client }: { request: Request; client: string },
  sid: string,
  look: () => Promise<LoginStatus>,
): Promise<Response> {
  // Only a 204 keeps an `EventSource` from reconnecting every three seconds after the login has ended.
  if (request.headers.get("last-event-id") === FINAL_EVENT_ID) return new Response(null, { status: 204 });
  const place = eventStreams().reserve(client);
  const { signal } = request;
  return new Response(await watchLogin(sid, look, { subscribe, place, signal }), { headers: HEADERS });
}

/** For a site that does not already listen for notifications. */
export function createSubscribe({ options: { databaseUrl }, onFailure }: Site): Subscribe {
  if (databaseUrl === undefined) return lookEveryPoll;
  const notifications = openLoginNotifications(createConnectionConfig(databaseUrl), (error) =>
    onFailure("no notices of logins, trying again", error),
  );
  // All requests share this connection, so it must not end when the request that opened it runs out of time.
  return (sid, listener) => runWithDatabaseWaitTimer(undefined, () => notifications.subscribe(sid, listener));
}

/** Without a listening connection, a stream polls the database as often as pages poll the server. */
const lookEveryPoll: Subscribe = (sid, listener) => {
  const timer = setInterval(() => listener({ sid }), POLL_INTERVAL_SECONDS * 1000);
  return () => clearInterval(timer);
};
