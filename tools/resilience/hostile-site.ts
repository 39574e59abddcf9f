import { measureUsage } from "../kit/process-figures.ts";
import { RawSocket } from "../kit/raw-socket.ts";
import { waitFor } from "../kit/waiting.ts";
import { sendListed } from "./hostile.ts";
import { COSTLY_FOR_SITES, get, REFUSED_BY_SITES } from "./hostile-requests.ts";
import type { Stage } from "./stage.ts";

/** Hostile requests to a site on plain Next, whose gate the package brings. */

/** A limit for the CPU time of one request: enough on a slow machine, and a tenth of the time that was once possible. */
const COST_MS = 700;
const ANSWER_MS = 25_000;
/** Headers may take 10 s, and the server that the framework makes looks for stalled ones every 30 s. */
const HANG_MS = 60_000;
const CODES_OF_IMAGES = 40;
const LARGE_BODIES = 60;
const WIDTHS = [16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048];

/** @param pid the site's process, counted together with its children */
export async function attackSite(stage: Stage, origin: string, pid: number): Promise<void> {
  await sendListed(stage, origin, HANG_MS);
  await checkRefusals(stage, origin);
  await checkOwnHost(stage, origin);
  await checkCosts(stage, origin, pid);
  await checkImages(stage, origin);
  await checkLargeBodies(stage, origin);
  const well = await exchange(origin, get("/login", "Connection: close\r\n"));
  stage.check(
    "the site serves its pages afterwards",
    / 200 /.test(well.split("\r\n")[0] ?? ""),
    firstLine(well),
  );
}

const firstLine = (text: string) => text.split("\r\n")[0] || "no answer";

/** The response, once it is complete or the connection is closed. */
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

async function checkRefusals(stage: Stage, origin: string): Promise<void> {
  const faults: string[] = [];
  for (const [name, bytes, status] of REFUSED_BY_SITES) {
    const answer = await exchange(origin, bytes);
    if (!answer.startsWith(`HTTP/1.1 ${status} `)) faults.push(`${name}: ${firstLine(answer)}`);
    else if (!SECURITY_HEADERS.every((header) => header.test(answer)))
      faults.push(`${name}: headers ${answer}`);
  }
  stage.checkNone(`${REFUSED_BY_SITES.length} that the gate refuses, with every security header`, faults);
  const ordinary = [
    "/",
    "/login",
    "/nowhere",
    "/_next/nope",
    "/_next/static/nope.js",
    "/favicon.ico",
    "/api/svc/qr",
  ];
  const bare: string[] = [];
  for (const path of ordinary) {
    const answer = await exchange(origin, get(path));
    const missing = SECURITY_HEADERS.filter((header) => !header.test(answer));
    if (missing.length > 0) bare.push(`${path}: ${firstLine(answer)} without ${missing.join()}`);
  }
  stage.checkNone("what is there and what is not has every security header", bare);
}

async function checkOwnHost(stage: Stage, origin: string): Promise<void> {
  const answer = await exchange(origin, get(`${origin}/login`));
  stage.check(
    "the absolute form of its own host is answered",
    answer.startsWith("HTTP/1.1 200 "),
    firstLine(answer),
  );
}

async function checkCosts(stage: Stage, origin: string, pid: number): Promise<void> {
  const costly: string[] = [];
  for (const [name, bytes] of COSTLY_FOR_SITES) {
    await exchange(origin, bytes);
    const used = measureUsage([pid], null);
    const answer = await exchange(origin, bytes);
    const { serverMs } = used();
    if (!/^HTTP\/1\.1 [234]/.test(answer)) costly.push(`${name}: ${firstLine(answer)}`);
    if (serverMs !== null && serverMs > COST_MS) costly.push(`${name}: ${serverMs} ms`);
  }
  stage.checkNone(`${COSTLY_FOR_SITES.length} that once took seconds take less than ${COST_MS} ms`, costly);
}

/** The optimizer would request pages and codes from inside, with no client to count. */
async function checkImages(stage: Stage, origin: string): Promise<void> {
  const statuses = new Set<string>();
  for (let attempt = 0; attempt < CODES_OF_IMAGES; attempt++) {
    const width = WIDTHS[attempt % WIDTHS.length];
    const answer = await exchange(origin, get(`/_next/image?url=%2Fapi%2Fsvc%2Fqr&w=${width}&q=75`));
    statuses.add(answer.slice(9, 12));
  }
  stage.check("the image optimizer is off", [...statuses].join() === "404", [...statuses].join());
}

/** Many concurrent bodies, none of which the site accepts. It responds to the first bytes. */
async function checkLargeBodies(stage: Stage, origin: string): Promise<void> {
  const bytes = `POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9437185\r\n\r\n${"x".repeat(64 * 1024)}`;
  const answers = await Promise.all(Array.from({ length: LARGE_BODIES }, () => exchange(origin, bytes)));
  const refusals = answers.filter((answer) => answer.startsWith("HTTP/1.1 413 "));
  stage.checkAll("large bodies are refused before they are sent", refusals.length, LARGE_BODIES);
}
