import pg from "pg";

const pools = new Map<string, pg.Pool>();

/** Opening a connection takes longer than most statements. */
function poolOf(connectionString: string): pg.Pool {
  const cachedPool = pools.get(connectionString);
  if (cachedPool) return cachedPool;
  const pool = new pg.Pool({ connectionString, idleTimeoutMillis: 5_000, allowExitOnIdle: true });
  // Tests drop databases to which connections are still open.
  pool.on("error", () => {});
  pools.set(connectionString, pool);
  return pool;
}

export async function sql<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(databaseUrl).query<Row>(text, values)).rows;
}

/** Makes a login session and its challenges as old as if the session had last been refreshed `seconds` ago. */
export async function backdateLogin(databaseUrl: string, sid: string, seconds: number): Promise<void> {
  const interval = `${seconds} seconds`;
  await sql(
    databaseUrl,
    `UPDATE login_session SET challenged_at = challenged_at - $2::interval,
       authenticated_at = authenticated_at - $2::interval WHERE sid = $1`,
    [sid, interval],
  );
  await sql(databaseUrl, "UPDATE challenge SET issued_at = issued_at - $2::interval WHERE sid = $1", [
    sid,
    interval,
  ]);
}

/** Counts requests for `who`, the name in the counter's key, in a window that begins now. */
export async function countRequests(
  databaseUrl: string,
  { limit, caller, count }: { limit: string; caller: string; count: number },
): Promise<void> {
  await sql(
    databaseUrl,
    "INSERT INTO rate_limit (key, points, expire) VALUES ($1, $2, extract(epoch FROM now()) * 1000 + 60000)",
    [`${limit}:${caller}`, count],
  );
}

/**
 * Sets the only counter whose key ends with a text that matches `caller`, a LIKE pattern. The caller must already have
 * sent a request.
 */
export async function setCounter(databaseUrl: string, caller: string, points: number): Promise<void> {
  const set = "UPDATE rate_limit SET points = $2 WHERE key LIKE '%' || $1 RETURNING key";
  const counters = await sql(databaseUrl, set, [caller, points]);
  if (counters.length !== 1)
    throw new Error(`${counters.length} counters have a key that ends with ${caller}`);
}
