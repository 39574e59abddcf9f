import { z } from "zod";
import { formatCredentialName } from "../../crypto/public-key.ts";
import {
  type Database,
  retryOnConflict,
  type Statement,
  statementDeadline,
} from "../../database/database.ts";
import { limitDatabaseWait } from "../../database/database-wait.ts";
import { call, sqlFunction } from "../../database/sql-function.ts";
import { jsonResponse } from "../../http/call.ts";
import { refusal } from "../../protocol/errors.ts";
import { APPROVAL_SECONDS, addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../../protocol/numbers.ts";
import { readBrowserHash } from "../../server/cookies.ts";
import { deriveUuid } from "../../server/random.ts";
import { type SentHeaders, userAgentOf } from "../../server/web-request.ts";
import { createAccountRoute } from "../../site/answer-login.ts";
import { ConfigurationError } from "../../site/options.ts";
import type { AuthorizeCode, Plugin, Route, Routes, Site, SiteCall } from "../../site/plugin.ts";
import { SITE_USER_ID_PATTERN } from "../../site/site-users.ts";
import { notSignedIn } from "../approvals/requester.ts";

/**
 * Returns the user who is signed in to the site with any sign-in method, or null if nobody is. The function must rely
 * only on what the site itself has verified, such as its session cookie.
 */
export type GetCurrentUser = (headers: Headers) => Promise<{
  /** The site's id of the user, as `findOrCreateUser` returns it. */
  id: string;
  /** When the user last signed in, not when the session was last renewed. */
  signedInAt: Date;
} | null>;

declare module "../../site/options.ts" {
  interface PluginOptions {
    /** Lets users who signed in without a wallet link one to their account. Needs `findOrCreateUser`. */
    currentUser?: GetCurrentUser | undefined;
  }
}

const PATH = "/api/svc/wallet";

/**
 * Lets a user of the site who signed in without a wallet link one, which then signs in the same user
 * (docs/decisions/0101-wallets-of-existing-users.md).
 */
export function linkedWallets(): Plugin<"linked-wallets"> {
  return {
    name: "linked-wallets",
    needs: ["added-keys"],
    start({ options }) {
      if (!options.currentUser || options.findOrCreateUser) return;
      throw new ConfigurationError(
        "findOrCreateUser: required with currentUser. Return it from the function that createLogin is given.",
      );
    },
    routes: (site): Routes => (site.options.currentUser ? { [PATH]: walletRoute(site) } : {}),
    intents: (site) => (site.options.currentUser ? { add_wallet: askForCode(site) } : {}),
    async onUndone({ core }, { sid }) {
      await retryOnConflict(() => call(core.database, UNLINK, { loginSid: sid, now: core.now() }));
    },
  };
}

function walletRoute(site: Site): Route {
  const show = (call: SiteCall) => showWallet(site, call);
  return createAccountRoute(site, { GET: show, HEAD: show, POST: (call) => linkWallet(site, call) });
}

type SignedInUser = NonNullable<Awaited<ReturnType<GetCurrentUser>>>;

/** How far the site's clock may be ahead of the database's, in seconds. */
const CLOCK_SECONDS = 60;

/**
 * Returns the user who is signed in to the site.
 * @throws {Refusal} 401 if nobody is; 503 if the site's function fails
 */
async function requireUser({ core, options, onFailure }: Site, headers: SentHeaders): Promise<SignedInUser> {
  let user: Awaited<ReturnType<GetCurrentUser>> | undefined;
  try {
    user = await limitDatabaseWait(async () => options.currentUser?.(new Headers([...headers.entries()])));
    if (user) assertUser(user, addSeconds(core.now(), CLOCK_SECONDS));
  } catch (error) {
    onFailure("currentUser failed", error);
    throw refusal("service_unavailable", "Your account could not be loaded. Try again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  }
  if (!user) throw notSignedIn();
  return user;
}

/**
 * @throws {TypeError} if a site without type checks returns something else, such as the end of a session instead of its
 * start
 */
function assertUser({ id, signedInAt }: SignedInUser, latest: Date): void {
  if (typeof id !== "string" || !SITE_USER_ID_PATTERN.test(id)) {
    throw new TypeError("currentUser has to return an id of 1 to 255 characters, or null.");
  }
  if (!(signedInAt instanceof Date && signedInAt <= latest)) {
    throw new TypeError("currentUser has to return signedInAt, a Date that is not in the future.");
  }
}

const isFresh = ({ core }: Site, { signedInAt }: SignedInUser) =>
  signedInAt >= addSeconds(core.now(), -APPROVAL_SECONDS);

/** @throws {Refusal} as `requireUser`; 403 `approval_required` if the sign-in is more than ten minutes old */
async function requireFreshUser(site: Site, headers: SentHeaders): Promise<SignedInUser> {
  const user = await requireUser(site, headers);
  if (isFresh(site, user)) return user;
  throw refusal(
    "approval_required",
    "You signed in more than ten minutes ago. Sign in again, and then add the wallet.",
  );
}

/** Identifies the site's user in a login session. A code and its answer belong to the user who requested it. */
const askedBy = ({ id }: SignedInUser) => deriveUuid(JSON.stringify(["user of the site", id]));

/** @throws {Refusal} as `requireFreshUser`; 409 `already_linked` if the user has a wallet */
function askForCode(site: Site): AuthorizeCode {
  return async ({ database }, { action, headers }) => {
    if (action !== "login") throw refusal("invalid_request", "A code that adds a wallet has the mode login.");
    const user = await requireFreshUser(site, headers);
    if (await findWallet(database, user)) throw alreadyLinked();
    return askedBy(user);
  };
}

const alreadyLinked = () =>
  refusal("already_linked", "You already have a wallet here. Sign in with it to manage it.");

const WALLET: Statement = {
  name: "wallet-of-site-user",
  text: `SELECT credential.value FROM site_user JOIN credential USING (user_id) WHERE site_user.site_id = $1::text
    ORDER BY credential.created_at LIMIT 1`,
};

/** Finds the key or address with which a user of the site can sign in, or returns null. */
async function findWallet(database: Database, { id }: SignedInUser): Promise<string | null> {
  return (await database.run<{ value: string }>(WALLET, [id]))[0]?.value ?? null;
}

const ANSWER: Statement = {
  name: "answer-of-new-wallet",
  text: `SELECT credential AS value FROM login_session
    WHERE sid = $1::text AND browser_hash = $2::bytea AND intent = 'add_wallet' AND asked_by = $3::uuid
      AND status = 'authenticated' AND redeemed_at IS NULL AND authenticated_at > $4::timestamptz`,
};

/** Identifies the answer to a code that this browser requested for this user. */
function answerOf({ core, request: { headers } }: SiteCall, user: SignedInUser, sid: string) {
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  const answeredSince = addSeconds(core.now(), -LOGIN_SESSION_IDLE_SECONDS);
  return { loginSid: sid, browserHash, askedBy: askedBy(user), answeredSince };
}

/**
 * Returns the user's wallet, the key that has answered this browser's code (`sid` in the query), and whether the
 * sign-in is fresh enough to add it. Anyone who saw the code could have answered it, so the user compares the key
 * first.
 */
async function showWallet(site: Site, siteCall: SiteCall): Promise<Response> {
  const { core, query, request } = siteCall;
  const user = await requireUser(site, request.headers);
  const answer = answerOf(siteCall, user, query.sid ?? "");
  const values = [answer.loginSid, answer.browserHash, answer.askedBy, answer.answeredSince];
  const answeredKey = (await core.database.run<{ value: string }>(ANSWER, values))[0]?.value;
  const wallet = await findWallet(core.database, user);
  return jsonResponse(200, {
    wallet: wallet === null ? null : formatCredentialName(wallet),
    answered: answeredKey === undefined ? null : formatCredentialName(answeredKey),
    fresh: isFresh(site, user),
  });
}

const Linking = z.object({
  /** The login session that the wallet answered. */
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
const UNLINK = sqlFunction("unlink_undone_wallet", ["loginSid", "now"]);

/**
 * Links the wallet that answered the code to the signed-in user. Each answer can be used once (`sql/link-wallet.sql`).
 */
async function linkWallet(site: Site, siteCall: SiteCall): Promise<Response> {
  const { core, request, body } = siteCall;
  const { sid } = await body(Linking);
  const user = await requireFreshUser(site, request.headers);
  const now = core.now();
  const link = {
    ...answerOf(siteCall, user, sid),
    siteUserId: user.id,
    userAgent: userAgentOf(request.headers),
    now,
    deadline: statementDeadline(now),
  };
  type LinkOutcome = { outcome: "linked" | "has_wallet" | "taken" };
  const result = await retryOnConflict(() => call<LinkOutcome>(core.database, LINK, link));
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
