import type { Receiver } from "#scripts/kit/receiver.ts";
import { sql } from "#scripts/kit/sql.ts";
import { Client } from "../kit/client.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import type { Ledger } from "./login.ts";
import type { Stage } from "./stage.ts";

/** Compares what was acknowledged with the database: nothing acknowledged may be missing. */
export async function checkPromises(
  stage: Stage,
  { origin, databaseUrl, ledger }: { origin: string; databaseUrl: string; ledger: Ledger },
): Promise<void> {
  const { logins, sessions, fast, done } = ledger;
  let authenticated = 0;
  for (const sid of logins) {
    const { body } = await new Client(origin).send(`/api/svc/check?sid=${sid}`);
    if (body.includes('"authenticated"')) authenticated++;
  }
  for (const sid of fast) {
    const { body } = await new Client(origin).send(`/api/checkfast?sid=${sid}`);
    if (body.includes('"status":1')) authenticated++;
  }
  stage.check(
    "every login that was acknowledged to a wallet is authenticated",
    logins.length > 0 && authenticated === logins.length + fast.length,
    `${authenticated} of ${logins.length + fast.length}`,
  );
  const logged = await sql(
    databaseUrl,
    "SELECT sid FROM login_event WHERE kind = 'delivered' AND sid = ANY($1)",
    [[...logins, ...sessions, ...fast]],
  );
  stage.check(
    "and stands in the log once",
    logged.length === logins.length + sessions.length + fast.length,
    `${logged.length} lines for ${logins.length + sessions.length + fast.length}`,
  );
  let signedIn = 0;
  const browsers = done.flatMap(({ browser }) => browser ?? []);
  for (const browser of browsers) {
    if ((await browser.send("/api/auth/session")).body.includes('"user"')) signedIn++;
  }
  stage.check(
    "every browser that was given a session is signed in",
    signedIn === browsers.length,
    `${signedIn} of ${browsers.length}`,
  );
}

/** Waits until the event of every acknowledged session has arrived, and counts events that arrived more than once. */
export async function checkEvents(
  stage: Stage,
  { receiver, ledger, timeoutMs }: { receiver: Receiver; ledger: Ledger; timeoutMs: number },
): Promise<void> {
  const idsOf = () => {
    const ids = new Map<string, string[]>();
    for (const { headers, body } of receiver.received) {
      const { session_id: sid } = JSON.parse(body.toString("utf8"));
      ids.set(sid, [...(ids.get(sid) ?? []), headers["webhook-id"] ?? ""]);
    }
    return ids;
  };
  const missing = () => {
    const ids = idsOf();
    return ledger.sessions.filter((sid) => !ids.has(sid)).length;
  };
  const arrived = await waitFor(() => missing() === 0, timeoutMs);
  stage.check(
    "every event of an acknowledged session is delivered",
    ledger.sessions.length > 0 && arrived !== null,
    `${ledger.sessions.length - missing()} of ${ledger.sessions.length}, the last after ${seconds(arrived?.ms ?? null)}`,
  );
  const repeated = [...idsOf().values()].filter((ids) => ids.length > 1);
  stage.check(
    "what came more than once kept its webhook-id",
    repeated.every((ids) => new Set(ids).size === 1),
    `${repeated.length} came more than once`,
  );
}
