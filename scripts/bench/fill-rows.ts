import { execute } from "../kit/database.ts";

/** The rows of a service after a while: so many users and login sessions, and ten log entries for each. */
export async function fillRows(databaseUrl: string, count: number): Promise<void> {
  const each = `generate_series(1, ${count}) AS n`;
  await execute(
    databaseUrl,
    "SET synchronous_commit = off",
    `INSERT INTO user_account (id, created_at) SELECT 1000 + n, now() FROM ${each}`,
    `INSERT INTO credential (id, user_id, kind, value, created_at)
     SELECT gen_random_uuid(), 1000 + n, 'public_key', '04' || repeat(md5(n::text), 4), now() FROM ${each}`,
    `INSERT INTO login_session
       (sid, flow, browser_hash, status, created_at, challenged_at, authenticated_at, redeemed_at, user_id, credential)
     SELECT 'bench' || md5(n::text), 'login', sha256(n::text::bytea), 'authenticated', now(), now(), now(), now(),
       1000 + n, '04' || repeat(md5(n::text), 4) FROM ${each}`,
    `INSERT INTO challenge (text, sid, issued_at, spent_at)
     SELECT 'svc:login:localhost:0:' || md5(n::text), 'bench' || md5(n::text), now(), now() FROM ${each}`,
    `INSERT INTO browser_session (id, user_id, credential, created_at, last_seen_at, expires_at)
     SELECT gen_random_uuid(), 1000 + n, '04' || repeat(md5(n::text), 4), now(), now(), now() + interval '7 days'
     FROM ${each}`,
    `INSERT INTO login_event (at, kind, sid, user_id)
     SELECT now() - make_interval(secs => line * 1000), 'delivered', 'bench' || md5(n::text), 1000 + n
     FROM ${each}, generate_series(1, 10) AS line`,
    "SELECT setval('user_account_id_seq', (SELECT max(id) FROM user_account))",
    "VACUUM ANALYZE",
    // Otherwise it would be written to disk while other servers are measured.
    "CHECKPOINT",
  );
}
