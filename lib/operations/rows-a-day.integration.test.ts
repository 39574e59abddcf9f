import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newHash, newKey, startLoginStore } from "#e2e/support/login-store.ts";
import { REQUESTS_PER_MINUTE } from "#packages/login/http/numbers.ts";
import { formatChallenge } from "#packages/login/protocol/challenge.ts";
import { findAndSpendChallenge } from "#packages/login/server/accept-response.ts";
import { endBrowserSessions } from "#packages/login/server/browser-session.ts";
import { issueChallenge } from "#packages/login/server/issue-login.ts";
import { generateNonce, generateSessionId } from "#packages/login/server/random.ts";
import { readUserAgent } from "#packages/login/server/web-request.ts";

/** Compares how much one client can write in a day with docs/reliability.md. */

const store = startLoginStore();
/** With half as many, an index would have so few pages that its bytes per row would vary by a quarter between runs. */
const LOGINS = 600;

const GUIDE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "reliability.md"), "utf8");

/** Keyed by the first cell of each row. */
const documented = new Map(
  [
    ...GUIDE.matchAll(
      /^\| (`\w+`[^|]*) \| [^|]+ \| ([\d,]+) \| ([\d,]+) bytes \| ([\d,]+) bytes \| ([\d.]+ [MG]B) \|$/gm,
    ),
  ].map(([, what = "", rows = "", widest = "", indexes = "", day = ""]) => {
    const [count, bytes, indexBytes] = [rows, widest, indexes].map((cell) =>
      Number(cell.replaceAll(",", "")),
    );
    return [what, { rows: count ?? 0, widest: bytes ?? 0, indexes: indexBytes ?? 0, day }] as const;
  }),
);

const { qr, getqrcode, account, other, fastauth } = REQUESTS_PER_MINUTE;
const { "webhook-login": logs, "webhook-register": registers, "webhook-undo": undoes } = REQUESTS_PER_MINUTE;
/** Each QR code can be redeemed once. */
const signIns = qr + getqrcode;
/**
 * For each line of the guide's table, the rows that the line counts, and how many of them can be written per minute.
 */
const WRITTEN: Record<string, { perMinute: number; table: string; which?: string }> = {
  "`login_session`": { perMinute: signIns, table: "login_session" },
  "`challenge`": { perMinute: signIns, table: "challenge" },
  "`browser_session`": { perMinute: signIns, table: "browser_session" },
  "`login_event`, sign-ins": { perMinute: signIns, table: "login_event", which: "kind = 'session_created'" },
  "`login_event`, others": {
    // Entries for the issue and the outcome of a QR code, ended sessions, undone logins, and changes to an account and
    // its console.
    perMinute: signIns + logs + registers + fastauth + signIns + undoes + account + other,
    table: "login_event",
    which: "kind <> 'session_created'",
  },
  // A login with a Bitcoin address has no known browser.
  "`known_browser`": { perMinute: qr, table: "known_browser" },
  "`user_account`": { perMinute: registers + fastauth, table: "user_account" },
  "`credential`": { perMinute: registers + fastauth, table: "credential" },
};

/** Their descriptions have the maximum length. */
async function widestLogins(userAgent: string | null) {
  const text = "é".repeat(100);
  for (let login = 0; login < LOGINS; login += 1) {
    const [now, browserHash, key] = [new Date(), newHash(), newKey()];
    const domain = `${"a".repeat(60)}.login.example`;
    const timestamp = Math.floor(now.getTime() / 1000);
    const challenge = formatChallenge({ action: "register", domain, timestamp, nonce: generateNonce() });
    const { sid } = await issueChallenge(store().database, {
      ...{ now, challenge, sid: null, newSid: generateSessionId(), browserHash, newBrowserHash: browserHash },
      flow: { name: "login", challengesKept: null, endsWhenAnswered: false },
      intent: null,
      browser: { userAgent, network: newHash().subarray(0, 16), knownBrowserHash: newHash() },
    });
    await findAndSpendChallenge(store().database, {
      ...{ now, challenge, signer: key, registers: true, signedAt: timestamp, showed: null },
      deviceInfo: { platform: text, version: text, device_id: `${text}${text}` },
      undoHash: newHash(),
    });
    expect(await store().redeem({ sid, challenge, browserHash }, { userAgent })).toMatchObject({});
  }
}

/**
 * The longest entries other than sign-ins: the end of a session, and a change to a domain whose name has 253
 * characters.
 */
async function widestEvents(userAgent: string | null) {
  const [user] = await store().query<{ id: number }>("SELECT id FROM user_account LIMIT 1");
  const end = { now: new Date(), id: null, reason: "revoked", browserHash: null, endsHere: false } as const;
  await endBrowserSessions(store().database, { ...end, userId: user?.id ?? null });
  await store().query(
    `INSERT INTO login_event (at, kind, user_id, subject, user_agent, by_session)
     VALUES (now(), 'webhook_url_changed', $1, $2, $3, gen_random_uuid())`,
    [user?.id, "d".repeat(253), userAgent],
  );
}

describe("the rows that one client can write in a day", () => {
  test("are documented for each of the login's tables, and match the current limits", () => {
    const rows = Object.entries(WRITTEN).map(([what, { perMinute }]) => [what, perMinute * 60 * 24]);
    expect([...documented].map(([what, line]) => [what, line.rows])).toEqual(rows);
  });

  test("are documented with the product of their number and size", () => {
    for (const [what, { rows, widest, indexes, day }] of documented) {
      const megabytes = (rows * (widest + indexes)) / 1_000_000;
      const size = megabytes < 1000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1000).toFixed(1)} GB`;
      expect([what, day]).toEqual([what, size]);
    }
  });

  test("are documented with the largest rows that PostgreSQL stores, and with their indexes", async () => {
    // Commits wait for the disk, as in production: PostgreSQL reuses the space of old row versions only after later
    // commits are on disk.
    await store().query("SET synchronous_commit = on");
    const userAgent = readUserAgent(new Headers({ "User-Agent": "é".repeat(4000) }));
    await widestLogins(userAgent);
    await widestEvents(userAgent);
    for (const [what, { table, which = "true" }] of Object.entries(WRITTEN)) {
      const { widest = 0, indexes = 0 } = documented.get(what) ?? {};
      const [stored] = await store().query<{ widest: number; indexes: number }>(
        `SELECT (SELECT max(pg_column_size(line.*)) FROM ${table} AS line WHERE ${which}) AS widest,
           pg_indexes_size('${table}')::int / count(*)::int AS indexes FROM ${table}`,
      );
      const spare = (documented: number, measured = Number.NaN) => documented - measured;
      const [row, index] = [spare(widest, stored?.widest), spare(indexes, stored?.indexes)];
      // The guide rounds up, and in an index of a few hundred rows, pages are half empty.
      const isRight = row >= 0 && row <= 50 && index >= 0 && index <= indexes / 2;
      expect({ what, stored, isRight }).toEqual({ what, stored, isRight: true });
    }
  });
});
