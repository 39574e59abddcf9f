import type { IncomingMessage, ServerResponse } from "node:http";
import { isPage } from "#lib/contracts/route-pattern.ts";
import { isDatabaseUnavailable } from "#lib/core/database-error.ts";
import { databaseWait } from "#lib/core/database-wait.ts";
import { directHandlers } from "#lib/core/http/direct-handlers.ts";
import { UNAVAILABLE_HEADERS, UNAVAILABLE_PAGE } from "#lib/core/http/unavailable-page.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Answers a request that is the framework's. A page is a 503 that says so while the database does not answer: asked
 * before, since a page may name who is signed in without having looked, and seen afterwards, since the framework
 * makes a 500 of a query that fails while it renders.
 */
export async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  if (!isPage(request.url?.split("?", 1)[0] ?? "")) return answer(request, response);
  try {
    await directHandlers().assertDatabaseAnswers();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return sendUnavailable(request, response);
  }
  replaceFailure(request, response);
  await answer(request, response);
}

/** Puts our page in the place of an answer that fails because the database let this request down. */
function replaceFailure(request: IncomingMessage, response: ServerResponse): void {
  const wait = databaseWait();
  const ours = new Set(response.getHeaderNames());
  const { writeHead, write, end } = response;
  let replaced = false;
  const replaces = (status = response.statusCode): boolean => {
    if (replaced || response.headersSent || status < 500 || !wait?.failed) return replaced;
    replaced = true;
    Object.assign(response, { writeHead, write, end });
    for (const name of response.getHeaderNames()) if (!ours.has(name)) response.removeHeader(name);
    sendUnavailable(request, response);
    // What still comes belongs to the answer that is not sent.
    Object.assign(response, { writeHead: () => response, write: () => true, end: () => response });
    return true;
  };
  Object.assign(response, {
    writeHead: (...args: Parameters<typeof writeHead>) =>
      replaces(args[0]) ? response : writeHead.apply(response, args),
    write: (...args: Parameters<typeof write>) => replaces() || write.apply(response, args),
    end: (...args: Parameters<typeof end>) => (replaces() ? response : end.apply(response, args)),
  });
}

function sendUnavailable({ method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, {
    ...UNAVAILABLE_HEADERS,
    "Content-Length": Buffer.byteLength(UNAVAILABLE_PAGE),
  });
  response.end(method === "HEAD" ? undefined : UNAVAILABLE_PAGE);
}
