import { now, turn } from "#lib/login/process/state.ts";
import {
  readBrowserSessionsPage,
  readHistoryPage,
  readLoginSessionsPage,
  readUser,
} from "./store/account.ts";

/**
 * Everything that is kept about a user as JSON, but for secrets and their hashes. The logins that a
 * tenant's own users made are the tenant's, to be read with its API keys.
 *
 * Some lists grow with every sign-in, so they are read and written in pages: other requests run in between.
 */
export async function exportAccount(userId: number): Promise<string> {
  const user = toJson(await readUser(userId)).slice(0, -1);
  const browsers = await allPages(
    (after: string | undefined) => readBrowserSessionsPage(userId, after),
    ({ id }) => id,
  );
  const logins = await allPages(
    (after: string | undefined) => readLoginSessionsPage(userId, after),
    ({ sid }) => sid,
  );
  const history = await allPages(
    (after: bigint | undefined) => readHistoryPage(userId, after),
    ({ id }) => id,
  );
  const lists = `"browserSessions":${browsers},"loginSessions":${logins}`;
  return `{"exported_at":${toJson(now())},"user":${user},${lists}},"history":${history}}`;
}

/** The rows of all pages as a JSON array; `idOf` says after which row the next page begins. */
async function allPages<Row, Id>(
  readPage: (after: Id | undefined) => Promise<Row[]>,
  idOf: (row: Row) => Id,
): Promise<string> {
  const parts: string[] = [];
  let after: Id | undefined;
  for (;;) {
    const rows = await readPage(after);
    const last = rows.at(-1);
    if (last === undefined) return `[${parts.join(",")}]`;
    await turn();
    parts.push(rows.map(toJson).join(","));
    after = idOf(last);
  }
}

/** A BigInt becomes a number: JSON has none. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each));
}
