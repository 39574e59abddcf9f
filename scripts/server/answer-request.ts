import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseWait, WAIT_MS, withDatabaseWait } from "#lib/login/database/database-wait.ts";
import { CLIENT_ADDRESS, REQUEST_ID, readClientStamp } from "#lib/login/http/client-address.ts";
import { turn } from "#lib/login/process/state.ts";
import { renderForPeople } from "#lib/platform/http/refusal-page.ts";
import { answerPage, refuseWhileSilent } from "./answer-page.ts";
import { answerDirectly, send } from "./direct-routes.ts";
import type { Handler } from "./http-server.ts";
import { countPage, pageMatcher } from "./page-limit.ts";
import { ROOT } from "./prepare.ts";

/** What answers the requests that pass the gate: a handler by itself, or else the framework. */
export function requestHandler(framework: Handler): Handler {
  const isPage = pageMatcher(join(ROOT, "public"));
  const answer: Handler = async (request, response) => {
    const answered = answerDirectly(request, response);
    if (answered) return answered;
    // Before it is counted: the count may have to wait for the same database.
    if (await refuseWhileSilent(request, response)) return;
    if (isPage(request.url ?? "") && (await refusePage(request, response))) return;
    // It may leave a body unread that is longer than it looks, and then nothing can follow on that connection.
    if (request.headers["transfer-encoding"]) response.setHeader("Connection", "close");
    await turn();
    if (!response.destroyed) await answerPage(request, response, framework);
  };
  return (request, response) => withDatabaseWait(new DatabaseWait(WAIT_MS), () => answer(request, response));
}

/** Counts a page against its client's limit; true when that was used up and the request is answered. */
async function refusePage({ headers }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  try {
    const limit = await countPage(readClientStamp(String(headers[CLIENT_ADDRESS])) ?? "unknown");
    for (const [name, value] of Object.entries(limit)) response.setHeader(name, value);
    return false;
  } catch (error) {
    await send(renderForPeople(error, String(headers[REQUEST_ID]), headers.accept ?? ""), response);
    return true;
  }
}
