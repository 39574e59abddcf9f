import type { Statement } from "../database/database.ts";
import { limitDatabaseWait } from "../database/database-wait.ts";
import { refusal } from "../protocol/errors.ts";
import type { LoginCore } from "../server/core.ts";
import { type RedeemableFlow, SITE_LOGIN_FLOW } from "../server/redeem-login.ts";
import { ConfigurationError, type FindOrCreateUser, type LoginUser } from "./options.ts";

export type SiteUsers = {
  /** Before a login is redeemed, its user gets an id at the site. */
  flow: RedeemableFlow;
  /**
   * Null if the session has ended.
   * @throws {Refusal} 503 if `findOrCreateUser` fails
   */
  ofSession(session: { id: string; userId: number }): Promise<number | string | null>;
  idOf(userId: number): Promise<number | string | null>;
};

type FoundUser = LoginUser & { siteId: string | null };

const FIND_LOGIN_USER: Statement = {
  name: "site-user-of-login",
  text: `SELECT login.user_id AS "userId", login.credential, site_user.site_id AS "siteId"
    FROM login_session AS login LEFT JOIN site_user USING (user_id)
    WHERE login.sid = $1::text AND login.browser_hash = $2::bytea AND login.flow = 'login'
      AND login.status = 'authenticated' AND login.redeemed_at IS NULL AND login.user_id IS NOT NULL`,
};

const FIND_SESSION_USER: Statement = {
  name: "site-user-of-session",
  text: `SELECT browser.user_id AS "userId", browser.credential, site_user.site_id AS "siteId"
    FROM browser_session AS browser LEFT JOIN site_user USING (user_id) WHERE browser.id = $1::uuid`,
};

const FIND_SITE_USER: Statement = {
  name: "site-user-of-user",
  text: `SELECT site_id AS "siteId" FROM site_user WHERE user_id = $1::int`,
};

// If several requests create an id concurrently, only the first id is stored.
const KEEP: Statement = {
  name: "keep-site-user",
  text: `WITH kept AS (
    INSERT INTO site_user (user_id, site_id, created_at) VALUES ($1::int, $2::text, $3::timestamptz)
    ON CONFLICT (user_id) DO UPDATE SET site_id = site_user.site_id
    RETURNING site_id
  )
  SELECT site_id AS "siteId" FROM kept`,
};

/**
 * Without `findOrCreateUser`, the login's own numbers would be mistaken for the ids of users who sign in by other
 * means, and the first wallet would sign in as the site's user 1.
 * @throws {ConfigurationError} describing what to do
 */
export function assertFindOrCreateUser({
  findOrCreateUser,
}: {
  findOrCreateUser?: FindOrCreateUser | undefined;
}) {
  if (findOrCreateUser) return;
  throw new ConfigurationError(
    "findOrCreateUser: required with nextAuth and redeem. Without it, a wallet's user is a number such as 1, which may also be the id of another user of the site. Return it from the function that you pass to createLogin.",
  );
}

export const SITE_USER_ID_PATTERN = /^[^\0]{1,255}$/s;

/** On a site without `findOrCreateUser`, the ids are the login's own numbers. */
export function createSiteUsers(
  { database, now }: Pick<LoginCore, "database" | "now">,
  findOrCreateUser: FindOrCreateUser | undefined,
  onFailure: (message: string, error: unknown) => void,
): SiteUsers {
  if (!findOrCreateUser) {
    return { flow: SITE_LOGIN_FLOW, ofSession: async ({ userId }) => userId, idOf: async (userId) => userId };
  }

  const askSite = async (user: LoginUser): Promise<string> => {
    try {
      const id: unknown = await limitDatabaseWait(() => findOrCreateUser(user));
      if (typeof id === "string" && SITE_USER_ID_PATTERN.test(id)) return id;
      throw new TypeError("findOrCreateUser has to return a string of 1 to 255 characters.");
    } catch (error) {
      onFailure(`findOrCreateUser failed for user ${user.userId}`, error);
      const headers = { "Retry-After": "2" };
      throw refusal(
        "service_unavailable",
        "You could not be signed in to your account. Try again in a moment.",
        {
          headers,
        },
      );
    }
  };
  const idOf = async ({ siteId, userId, credential }: FoundUser): Promise<string> => {
    if (siteId !== null) return siteId;
    const id = await askSite({ userId, credential });
    const [stored] = await database.run<{ siteId: string }>(KEEP, [userId, id, now()]);
    return stored?.siteId ?? id;
  };
  return {
    flow: {
      ...SITE_LOGIN_FLOW,
      async beforeRedemption({ sid, browserHash }) {
        const [login] = await database.run<FoundUser>(FIND_LOGIN_USER, [sid, browserHash]);
        if (login) await idOf(login);
      },
    },
    async ofSession({ id }) {
      const [session] = await database.run<FoundUser>(FIND_SESSION_USER, [id]);
      return session ? idOf(session) : null;
    },
    async idOf(userId) {
      return (await database.run<{ siteId: string }>(FIND_SITE_USER, [userId]))[0]?.siteId ?? null;
    },
  };
}
