import { z } from "zod";
import { formatCredentialName } from "../../crypto/public-key.ts";
import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../database/sql-function.ts";
import { jsonResponse } from "../../http/call.ts";
import { refusal } from "../../protocol/errors.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../../protocol/numbers.ts";
import { readBrowserHash } from "../../server/cookies.ts";
import { deriveUuid } from "../../server/random.ts";
import { readUserAgent } from "../../server/web-request.ts";
import { createAccountRoute } from "../../site/answer-login.ts";
import { ConfigurationError } from "../../site/options.ts";
import type { AuthorizeCode, Plugin, Route, Routes, Site, SiteCall } from "../../site/plugin.ts";
import {
  type GetCurrentUser,
  isRecentSignIn,
  requireRecentlySignedInUser,
  requireSignedInUser,
  type SignedInUser,
} from "./current-user.ts";
import { removeWallet } from "./remove-wallet.ts";

declare module "../../site/options.ts" {
  interface PluginOptions {
    /** With this function, users who signed in without a wallet can link one. Requires `findOrCreateUser`. */
    currentUser?: GetCurrentUser | undefined;
  }
}

const PATH = "/api/svc/wallet";

/** A linked wallet signs in the same user (docs/decisions/0101-wallets-of-existing-users.md). */
export function linkedWallets(): Plugin<"linked-wallets"> {
  return {
    name: "linked-wallets",
    needs: ["added-keys"],
    start({ options }) {
      if (!options.currentUser || options.findOrCreateUser) return;
      throw new ConfigurationError(
        "findOrCreateUser: required with currentUser. Return it from the function that you pass to createLogin.",
      );
    },
    routes: (site): Routes => (site.options.currentUser ? { [PATH]: walletRoute(site) } : {}),
    intents: (site) => (site.options.currentUser ? { add_wallet: askForCode(site) } : {}),
    async onUndone({ core }, { sid }) {
      await retryOnConflict(() =>
        callSqlFunction(core.database, UNLINK_UNDONE, { loginSid: sid, now: core.now() }),
      );
    },
  };
}

function walletRoute(site: Site): Route {
  const show = (call: SiteCall) => showWallet(site, call);
  return createAccountRoute(site, {
    GET: show,
    HEAD: show,
    POST: (call) => linkWallet(site, call),
    DELETE: (call) => removeWallet(site, call),
  });
}

/** Only the user who requested a code can use its answer. */
const askedBy = ({ id }: SignedInUser) => deriveUuid(JSON.stringify(["user of the site", id]));

/** @throws {Refusal} as `requireRecentlySignedInUser`; 409 `already_linked` if the user already has a wallet */
function askForCode(site: Site): AuthorizeCode {
  return async ({ database }, { action, headers }) => {
    if (action !== "login")
      throw refusal("invalid_request", "A code that adds a wallet must have the mode login.");
    const user = await requireRecentlySignedInUser(site, headers, "add the wallet");
    if (await findWallet(database, user)) throw alreadyLinked();
    return askedBy(user);
  };
}

const alreadyLinked = () =>
  refusal("already_linked", "You already have a wallet here. To use another one, remove it first.");

const WALLET: Statement = {
  name: "wallet-of-site-user",
  text: `SELECT credential.value FROM site_user JOIN credential USING (user_id) WHERE site_user.site_id = $1::text
    ORDER BY credential.created_at LIMIT 1`,
};

async function findWallet(database: Database, { id }: SignedInUser): Promise<string | null> {
  return (await database.run<{ value: string }>(WALLET, [id]))[0]?.value ?? null;
}

const ANSWER: Statement = {
  name: "answer-of-new-wallet",
  text: `SELECT credential AS value FROM login_session
    WHERE sid = $1::text AND browser_hash = $2::bytea AND intent = 'add_wallet' AND asked_by = $3::uuid
      AND status = 'authenticated' AND redeemed_at IS NULL AND authenticated_at > $4::timestamptz`,
};

function answerOf({ core, request: { headers } }: SiteCall, user: SignedInUser, sid: string) {
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  const answeredSince = addSeconds(core.now(), -LOGIN_SESSION_IDLE_SECONDS);
  return { loginSid: sid, browserHash, askedBy: askedBy(user), answeredSince };
}

/**
 * Anyone who saw this browser's code (`sid` in the query) could have answered it, so the user must compare the key
 * before linking it.
 */
async function showWallet(site: Site, siteCall: SiteCall): Promise<Response> {
  const { core, query, request } = siteCall;
  const user = await requireSignedInUser(site, request.headers);
  const answer = answerOf(siteCall, user, query.sid ?? "");
  const values = [answer.loginSid, answer.browserHash, answer.askedBy, answer.answeredSince];
  const answeredKey = (await core.database.run<{ value: string }>(ANSWER, values))[0]?.value;
  const wallet = await findWallet(core.database, user);
  return jsonResponse(200, {
    wallet: wallet === null ? null : formatCredentialName(wallet),
    answered: answeredKey === undefined ? null : formatCredentialName(answeredKey),
    fresh: isRecentSignIn(site, user),
  });
}

const Linking = z.object({
  sid: z.string().max(128),
});

const LINK = sqlFunction("link_wallet", [
  "siteUserId",
  "askedBy",
  "loginSid",
  "browserHash",
  "userAgent",
  "now",
  "answeredSince",
  "deadline",
]);
const UNLINK_UNDONE = sqlFunction("unlink_undone_wallet", ["loginSid", "now"]);

/** An answer links a wallet only once (`sql/link-wallet.sql`). */
async function linkWallet(site: Site, siteCall: SiteCall): Promise<Response> {
  const { core, request, body } = siteCall;
  const { sid } = await body(Linking);
  const user = await requireRecentlySignedInUser(site, request.headers, "add the wallet");
  const now = core.now();
  const link = {
    ...answerOf(siteCall, user, sid),
    siteUserId: user.id,
    userAgent: readUserAgent(request.headers),
    now,
    deadline: computeStatementDeadline(now),
  };
  type LinkOutcome = { outcome: "linked" | "has_wallet" | "taken" };
  const result = await retryOnConflict(() => callSqlFunction<LinkOutcome>(core.database, LINK, link));
  switch (result?.outcome) {
    case "linked":
      return jsonResponse(201, { status: "linked" });
    case "has_wallet":
      throw alreadyLinked();
    case "taken":
      throw refusal(
        "credential_taken",
        "This wallet already has an account here. Use another wallet, or sign in with this one.",
      );
    default:
      throw refusal("session_not_found", "There is nothing to add. Get a new code and start again.");
  }
}
