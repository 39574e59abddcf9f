import { measureUsage } from "../kit/process-figures.ts";
import { RawSocket } from "../kit/raw-socket.ts";
import { waitFor } from "../kit/waiting.ts";
import { sendHostileRequests } from "./hostile.ts";
import { COSTLY_SITE_REQUESTS, formatGet } from "./hostile-requests.ts";
import type { Stage } from "./stage.ts";

/** The site runs on Next.js, with the request checks of the package. */

/**
 * The limit for the CPU time of one request. A slow machine needs less, and some requests once needed ten times as
 * much.
 */
const COST_MS = 700;
const ANSWER_MS = 25_000;
/**
 * How long a stalled request can take. Headers have 10 s, but the framework's own server looks for stalled requests
 * only every 30 s.
 */
const HANG_MS = 60_000;

/** @param pid the process of the site; it is measured together with its child processes */
export async function attackSite(stage: Stage, origin: string, pid: number): Promise<void> {
  await sendHostileRequests(stage, origin, HANG_MS);
  await checkGate(stage, origin);
  await checkCosts(stage, origin, pid);
  await checkImages(stage, origin);
  const well = await exchange(origin, formatGet("/login", "Connection: close\r\n"));
  stage.check(
    "the site serves its pages afterwards",
    / 200 /.test(well.split("\r\n")[0] ?? ""),
    firstLine(well),
  );
}

const firstLine = (text: string) => text.split("\r\n")[0] || "no answer";

/** Returns the response as soon as it is complete or the connection is closed. */
async function exchange(origin: string, bytes: string): Promise<string> {
  const socket = new RawSocket(origin);
  await socket.write(bytes);
  await waitFor(() => socket.openMs !== null || /\r\n\r\n/.test(socket.text), ANSWER_MS);
  socket.hangUp();
  return socket.text;
}

const SECURITY_HEADERS = [
  /^content-security-policy: .*frame-ancestors 'none'/im,
  /^x-content-type-options: nosniff\r?$/im,
  /^x-frame-options: DENY\r?$/im,
  /^referrer-policy: /im,
  /^x-request-id: /im,
];

/** Routes and pages of a site, paths of the framework, and paths that do not exist. */
const PATHS = [
  "/",
  "/login",
  "/nowhere",
  "/api/svc/qr",
  "/_next/nope",
  "/_next/static/nope.js",
  "/favicon.ico",
];

/** The requests that the checks themselves refuse are covered by other tests. */
async function checkGate(stage: Stage, origin: string): Promise<void> {
  const faults: string[] = [];
  for (const path of PATHS) {
    const refusal = await exchange(origin, formatGet(`${path}?${"a&".repeat(1_000)}`));
    if (!refusal.startsWith("HTTP/1.1 400 ")) faults.push(`${path}: ${firstLine(refusal)}`);
    for (const answer of [refusal, await exchange(origin, formatGet(path))]) {
      const missing = SECURITY_HEADERS.filter((header) => !header.test(answer));
      if (missing.length > 0) faults.push(`${path}: ${firstLine(answer)} without ${missing.join()}`);
    }
  }
  stage.checkNone("the gate is in front of every path, and every answer has the security headers", faults);
}

async function checkCosts(stage: Stage, origin: string, pid: number): Promise<void> {
  const costly: string[] = [];
  for (const [name, bytes] of COSTLY_SITE_REQUESTS) {
    await exchange(origin, bytes);
    const used = measureUsage([pid], null);
    const answer = await exchange(origin, bytes);
    const { serverMs } = used();
    if (!/^HTTP\/1\.1 [234]/.test(answer)) costly.push(`${name}: ${firstLine(answer)}`);
    if (serverMs !== null && serverMs > COST_MS) costly.push(`${name}: ${serverMs} ms`);
  }
  stage.checkNone(
    `${COSTLY_SITE_REQUESTS.length} that once took seconds take less than ${COST_MS} ms`,
    costly,
  );
}

/**
 * The image optimizer would request pages and codes from inside the server, where rate limits cannot tell clients
 * apart.
 */
async function checkImages(stage: Stage, origin: string): Promise<void> {
  const answer = await exchange(origin, formatGet("/_next/image?url=%2Fapi%2Fsvc%2Fqr&w=640&q=75"));
  stage.check("the image optimizer is off", answer.startsWith("HTTP/1.1 404 "), firstLine(answer));
}
