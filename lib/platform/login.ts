import "server-only";
import { ADDED_KEY_PAGES } from "#lib/login/protocol/paths.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import type { LoginCall } from "#lib/login/server/handlers.ts";
import { now } from "./clock.ts";
import { withDatabaseWait } from "./database/database-wait.ts";
import { database } from "./database/db.ts";
import { openLoginNotifications } from "./database/login-listener.ts";
import { env, masterSecrets } from "./env.ts";
import { type Call, jsonResponse } from "./http/call.ts";
import { requireClient } from "./http/client-stamp.ts";
import { endpoint } from "./http/endpoint.ts";
import { eventStreams } from "./http/event-streams.ts";
import { parseBody } from "./http/parse-body.ts";
import type { LimitName } from "./http/request-limit.ts";
import { log } from "./log.ts";
import { recordLoginStep } from "./observe/meters.ts";
import { processSingleton } from "./process-singleton.ts";

/** Where the login and the platform meet: what the login works with in this application. */

/** Where a browser goes once it is signed in. */
export const AFTER_LOGIN = "/dashboard";

/** PostgreSQL's notifications of logins that changed: one connection a process. */
export const loginNotifications = processSingleton("login-notifications", () =>
  openLoginNotifications({ connectionString: env().DATABASE_DIRECT_URL }, ({ message }) =>
    log().warn({ error: message }, "no notices of logins, trying again"),
  ),
);

/** What the use cases of every login work with. */
export const loginCore = processSingleton(
  "login-core",
  (): LoginCore => ({
    origin: env().APP_URL,
    qrFormat: env().SVC_QR_FORMAT,
    secrets: masterSecrets(),
    afterLogin: AFTER_LOGIN,
    addedKeyPage: ADDED_KEY_PAGES.own,
    database: database(),
    now,
    onStep: recordLoginStep,
    // All requests listen on one connection, so it must not end with the request that opens it.
    subscribe: (sid, listener) =>
      withDatabaseWait(undefined, () => loginNotifications().subscribe(sid, listener)),
  }),
);

/** The core for one request, whose first statement counts it. */
export function coreOf({ database: counting }: Call): LoginCore {
  return { ...loginCore(), database: counting };
}

/** Mounts a handler of the login at the door. */
export function loginEndpoint(limit: LimitName, handle: (call: LoginCall) => Promise<Response>) {
  return endpoint({ limit, countedWithQuery: limit !== "events" }, (call) => {
    const { request, requestId, query } = call;
    return handle({
      core: coreOf(call),
      request,
      requestId,
      query,
      body: (schema) => parseBody(request, schema),
      json: (body, headers) => jsonResponse(200, body, headers),
      streamPlace: () => eventStreams().reserve(requireClient(request)),
    });
  });
}
