import { type Database, statement } from "./database.ts";

/** What the status of a login session is read from. */
export type LoginSessionState = {
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
};

const FIND = statement({
  name: "find-login-session",
  with: "",
  select: `SELECT status, user_id AS "userId", challenged_at AS "challengedAt", browser_hash AS "browserHash"
    FROM login_session WHERE sid = $1::text AND flow = 'login'`,
  durable: false,
});

/** The state of a login session; null for a sid that the server did not make, or has deleted. */
export async function findLoginSession(database: Database, sid: string): Promise<LoginSessionState | null> {
  return (await database.run<LoginSessionState>(FIND, [sid]))[0] ?? null;
}
