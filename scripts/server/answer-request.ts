import { globSync, readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { assertDatabaseAnswers } from "#lib/platform/database/readiness.ts";
import { brand } from "#lib/platform/http/brand.ts";
import { renderRateLimitPage } from "#lib/platform/http/endpoint.ts";
import { readTheme, THEME_COOKIE } from "#lib/platform/http/preference-cookies.ts";
import { createRequestLimit } from "#lib/platform/http/rate-limit.ts";
import { isApiPath } from "#lib/routes/api-routes.ts";
import { isPagePath } from "#lib/routes/route-pattern.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";
import {
  DATABASE_WAIT_MS,
  DatabaseWaitTimer,
  getDatabaseWaitTimer,
  runWithDatabaseWaitTimer,
} from "#packages/login/database/database-wait.ts";
import type { Handler } from "#packages/login/gate/guard-server.ts";
import { REQUEST_ID_HEADER, requireClient } from "#packages/login/http/client-address.ts";
import { RETRY_LINK, renderPlainDocument } from "#packages/login/http/plain-page.ts";
import { waitForEventLoopTurn } from "#packages/login/process/state.ts";
import { readCookie } from "#packages/login/server/cookies.ts";
import { answerByRoute } from "./built-routes.ts";
import { ROOT } from "./prepare.ts";
import { sendResponse, toWebHeaders } from "./web-exchange.ts";

/** Calls the route's handler directly, or passes the request to Next.js. */
export function createRequestHandler(framework: Handler): Handler {
  const isCounted = pageMatcher(join(ROOT, "public"));
  const answer: Handler = async (request, response) => {
    const answer = answerByRoute(request, response);
    if (answer) return answer;
    // Checks the database first, because counting the request might have to wait for the same database.
    if (await refuseWhileSilent(request, response)) return;
    if (isCounted(request.url ?? "") && (await refusePage(request, response))) return;
    // Next.js might leave a body of unknown length unread, after which the connection cannot be used again.
    if (request.headers["transfer-encoding"]) response.setHeader("Connection", "close");
    await waitForEventLoopTurn();
    if (response.destroyed) return;
    if (isForPeople(request)) replaceFailure(request, response);
    await framework(request, response);
  };
  brand().font = builtTypeface();
  return (request, response) => {
    const limitMs = OPEN_PAGES.test(pathOf(request)) ? OPEN_PAGE_WAIT_MS : DATABASE_WAIT_MS;
    return runWithDatabaseWaitTimer(new DatabaseWaitTimer(limitMs), () => answer(request, response));
  };
}

function builtTypeface(): string | null {
  const [file] = globSync("*.woff2", { cwd: join(ROOT, ".next", "static", "media") });
  return file ? `/_next/static/media/${file}` : null;
}

/** Requests for these paths have their own limits or none. */
const NO_PAGES = [
  "/dashboard/enter",
  "/healthz",
  "/readyz",
  "/metrics",
  "/wallet/sw.js",
  "/wallet/manifest.webmanifest",
];

/**
 * Distinguishes pages, including unknown ones, from everything else that Next.js serves.
 * @param publicFolder the folder of files that are served unchanged
 */
function pageMatcher(publicFolder: string): (url: string) => boolean {
  const otherPaths = new Set([...NO_PAGES, ...readdirSync(publicFolder).map((name) => `/${name}`)]);
  return (url) => {
    const path = url.split("?", 1)[0] ?? "";
    return !otherPaths.has(path) && !/^\/(?:_next\/static|api\/auth)\//.test(path) && !isApiPath(path);
  };
}

/** True if the request exceeds the client's limit and has therefore been answered. */
async function refusePage({ headers }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  try {
    const limit = createRequestLimit("page", requireClient({ headers: new Headers(toWebHeaders(headers)) }));
    await limit.take();
    for (const [name, value] of Object.entries(limit.headers)) response.setHeader(name, value);
    return false;
  } catch (error) {
    await sendResponse(
      renderRateLimitPage(error, String(headers[REQUEST_ID_HEADER]), headers.accept ?? ""),
      response,
    );
    return true;
  }
}

/** Renders the page (503) that is shown while the database does not respond. */
const unavailablePage = () =>
  renderPlainDocument(
    "Not available just now",
    `<p>We cannot reach our database, so we cannot check who is signed in. Your account is not affected, and you stay signed in if you were. Try again in a moment. The docs still work.</p>
<nav><a href="${RETRY_LINK.href}">${RETRY_LINK.text}</a><a class="plain" href="/docs">Read the docs</a></nav>`,
    brand(),
  );

/** These work without the database. While it does not respond, they do not show the signed-in user. */
const OPEN_PAGES = /^\/(?:wallet|get-a-wallet|docs(?:\/.*)?)?$/;
/** How long the pages in `OPEN_PAGES` wait for the database, which their content does not need. */
const OPEN_PAGE_WAIT_MS = 2_000;

/**
 * Pages show the signed-in user, so they need the database.
 * @returns true if the request has been answered
 */
async function refuseWhileSilent(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (!isForPeople(request) || OPEN_PAGES.test(pathOf(request))) return false;
  try {
    await assertDatabaseAnswers();
    return false;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    sendUnavailable(request, response);
    return true;
  }
}

const pathOf = ({ url = "" }: IncomingMessage) => url.split("?", 1)[0] ?? "";

function isForPeople(request: IncomingMessage): boolean {
  const path = pathOf(request);
  return isPagePath(path) || path === "/dashboard/enter";
}

/** Uses status 503 if a query for the request has failed. */
function replaceFailure(request: IncomingMessage, response: ServerResponse): void {
  const wait = getDatabaseWaitTimer();
  const ownHeaderNames = new Set(response.getHeaderNames());
  const { writeHead, write, end } = response;
  let replaced = false;
  const replaces = (status = response.statusCode): boolean => {
    if (replaced || response.headersSent || status < 500 || !wait?.failed) return replaced;
    replaced = true;
    Object.assign(response, { writeHead, write, end });
    for (const name of response.getHeaderNames()) if (!ownHeaderNames.has(name)) response.removeHeader(name);
    sendUnavailable(request, response);
    // Ignores what Next.js writes from now on, because it belongs to the replaced response.
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

function sendUnavailable({ method, headers }: IncomingMessage, response: ServerResponse): void {
  const theme = readTheme(readCookie(headers.cookie ?? null, THEME_COOKIE) ?? undefined);
  const page = theme
    ? unavailablePage().replace("<html ", `<html style="color-scheme: ${theme}" `)
    : unavailablePage();
  response.writeHead(503, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Retry-After": "2",
    "Content-Length": Buffer.byteLength(page),
  });
  response.end(method === "HEAD" ? undefined : page);
}
