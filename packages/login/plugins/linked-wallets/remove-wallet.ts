import { computeStatementDeadline, retryOnConflict } from "../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../database/sql-function.ts";
import { refusal } from "../../protocol/errors.ts";
import { readBrowserHash } from "../../server/cookies.ts";
import { readUserAgent } from "../../server/web-request.ts";
import type { Site, SiteCall } from "../../site/plugin.ts";
import { endSiteSessions } from "../../site/sign-in.ts";
import { requireRecentlySignedInUser } from "./current-user.ts";

const UNLINK = sqlFunction("unlink_wallet", [
  "siteUserId",
  "browserHash",
  "userAgent",
  "signedInAt",
  "now",
  "deadline",
]);

type UnlinkResult =
  | { outcome: "removed"; openedSids: readonly string[] }
  | { outcome: "signed_in_with_wallet"; openedSids: null };

/**
 * Handles `DELETE /api/svc/wallet`, and ends the sessions that the wallets opened. The user must have signed in without
 * these wallets, because they could be the user's only sign-in method. Repeating the request has the same result
 * (`sql/unlink-wallet.sql`).
 * @throws {Refusal} as `requireRecentlySignedInUser`; 403 `approval_required` if this browser signed in with the
 * wallet; 404 if the user has no wallet; 503 if the site's own sessions could not be ended
 */
export async function removeWallet(site: Site, { core, request: { headers } }: SiteCall): Promise<Response> {
  const { id: siteUserId, signedInAt } = await requireRecentlySignedInUser(site, headers, "remove it");
  const now = core.now();
  const unlink = {
    siteUserId,
    browserHash: readBrowserHash(headers.get("cookie"), core.origin),
    userAgent: readUserAgent(headers),
    signedInAt,
    now,
    deadline: computeStatementDeadline(now),
  };
  const result = await retryOnConflict(() => callSqlFunction<UnlinkResult>(core.database, UNLINK, unlink));
  if (!result) throw refusal("not_found", "You do not have a wallet here. It may have been removed already.");
  if (result.outcome === "signed_in_with_wallet") {
    throw refusal(
      "approval_required",
      "You signed in with this wallet. Sign in without it, and then remove it.",
    );
  }
  await endSiteSessions(site, { sids: result.openedSids, userId: siteUserId });
  return new Response(null, { status: 204 });
}
