import { createHmac, hash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import pg from "pg";

/**
 * Implements the cheapest possible wallet login on this runtime and database, to measure its cost. The application's
 * five requests are handled by plain `node:http`, with at most one prepared statement each, libsecp256k1, and an HMAC
 * token. The server waits for the same writes as the application. It has no rate limits, log, history, event stream,
 * headers or format checks. Do not use it in production.
 */

type Bindings = {
  signatureImport(der: Uint8Array): Uint8Array;
  ecdsaVerify(signature: Uint8Array, digest: Uint8Array, point: Uint8Array): boolean;
};
const bindings: Bindings = createRequire(import.meta.url)("libsecp256k1/bindings.js");

const { DATABASE_URL, NEXTAUTH_SECRET = "", PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
await pool.query(`
  CREATE TABLE account (id serial PRIMARY KEY, public_key text NOT NULL UNIQUE);
  CREATE TABLE login (sid text PRIMARY KEY, challenge text NOT NULL UNIQUE, secret_hash bytea NOT NULL,
    issued_at timestamptz NOT NULL DEFAULT now(), account_id int, redeemed_at timestamptz);
`);

const ISSUE = {
  name: "issue",
  // As in the application, this write does not wait for the disk. If a crash loses the code, the browser requests a new
  // one.
  text: `WITH issued AS (INSERT INTO login (sid, challenge, secret_hash) VALUES ($1, $2, $3) RETURNING 1)
    SELECT set_config('synchronous_commit', 'off', true) FROM issued`,
};
const REGISTER = { name: "register", text: "INSERT INTO account (public_key) VALUES ($1)" };
const ACCEPT = {
  name: "accept",
  text: `UPDATE login SET account_id = account.id FROM account WHERE challenge = $1 AND account_id IS NULL
    AND issued_at > now() - interval '60 seconds' AND public_key = $2`,
};
const CHECK = { name: "check", text: "SELECT account_id FROM login WHERE sid = $1" };
const REDEEM = {
  name: "redeem",
  text: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND secret_hash = $2 AND account_id IS NOT NULL
    AND redeemed_at IS NULL RETURNING account_id`,
};

type Answer = { body: object; cookie?: string };
type Answerer = (request: IncomingMessage, query: URLSearchParams) => Promise<Answer>;

const ENDPOINTS: Record<string, Answerer> = {
  async "/api/svc/qr"(_request, query) {
    const [sid, secret, nonce] = [24, 32, 24].map((bytes) => randomBytes(bytes).toString("base64url"));
    const challenge = `svc:${query.get("mode")}:localhost:${Math.floor(Date.now() / 1000)}:${nonce}`;
    await run(ISSUE, [sid, challenge, hash("sha256", secret ?? "", "buffer")]);
    return { body: { sid, challenge }, cookie: `secret=${secret}` };
  },
  async "/webhook/register"(request) {
    const response = JSON.parse(await read(request));
    await run(REGISTER, [response.public_key]);
    return { body: { status: "authenticated" } };
  },
  async "/webhook/login"(request) {
    const { public_key: key, signature, challenge } = JSON.parse(await read(request));
    const digest = hash("sha256", challenge, "buffer");
    const raw = bindings.signatureImport(Buffer.from(signature, "hex"));
    if (!bindings.ecdsaVerify(raw, digest, Buffer.from(key, "hex"))) throw new Error("wrong signature");
    await run(ACCEPT, [challenge, key]);
    return { body: { status: "authenticated" } };
  },
  async "/api/svc/check"(_request, query) {
    const [row] = await run(CHECK, [query.get("sid")]);
    return { body: row?.account_id ? { status: "authenticated" } : { status: "pending" } };
  },
  async "/api/svc/sign-in"(request) {
    const { sid } = JSON.parse(await read(request));
    const cookies = new URLSearchParams(request.headers.cookie?.replaceAll("; ", "&"));
    const secretHash = hash("sha256", cookies.get("secret") ?? "", "buffer");
    const [row] = await run(REDEEM, [sid, secretHash]);
    if (!row) throw new Error("nothing to redeem");
    const claims = Buffer.from(JSON.stringify(row)).toString("base64url");
    return { body: {}, cookie: `next-auth.session-token=${claims}.${sign(claims)}` };
  },
};

async function run(statement: { name: string; text: string }, values: unknown[]) {
  return (await pool.query<{ account_id: number }>({ ...statement, values })).rows;
}

function sign(text: string): string {
  return createHmac("sha256", NEXTAUTH_SECRET).update(text).digest("hex");
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

const server = createServer(async (request, response) => {
  const [path = "", query] = (request.url ?? "").split("?");
  try {
    const answer = await ENDPOINTS[path]?.(request, new URLSearchParams(query));
    if (!answer) return void response.writeHead(404).end();
    const body = JSON.stringify(answer.body);
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    response.writeHead(200, answer.cookie ? { ...headers, "Set-Cookie": answer.cookie } : headers).end(body);
  } catch {
    response.writeHead(400).end();
  }
});
// The clients' connections should stay open while other servers are measured, as they do with the application.
server.keepAliveTimeout = 65_000;
server.listen(Number(PORT));
