import { notSignedIn, requireApproval } from "../approval/asker.ts";
import { withinWait } from "../database/database-wait.ts";
import { whenStopping } from "../process/state.ts";
import type { RecoveryRules } from "../recovery/finish-recovery.ts";
import { finishDueRecoveries } from "../recovery/finish-recovery.ts";
import { accountRecovery, readRecovery } from "../recovery/read-recovery.ts";
import { recoveryHandlers } from "../recovery/recovery-handlers.ts";
import type { AccountRecovery, RecoveryView } from "../recovery/recovery-view.ts";
import { pruneRecoveries } from "../recovery/store/recovery.ts";
import { removeWaysBefore } from "../recovery/store/ways-in.ts";
import type { SentHeaders } from "../server/sent-headers.ts";
import { currentSession } from "../server/session-token.ts";
import { accountRoute } from "./account-route.ts";
import { countClient, type Route, type Routes, type SiteCall } from "./answer-login.ts";
import type { Site } from "./site.ts";

/** Recovery on another site (docs/template.md#recovery): its endpoints, its pages' facts, and what runs beside requests. */

const FINISH_EVERY_MS = 60_000;

/** How recoveries take effect on a site, and whom they inform. */
export function recoveryRules({
  recoveryDelayHours,
  users,
  onEvent,
  onFailure,
}: Pick<Site, "recoveryDelayHours" | "onEvent" | "onFailure"> & {
  users: Pick<Site["users"], "idOf">;
}): RecoveryRules {
  return {
    delaySeconds: recoveryDelayHours * 60 * 60,
    async onEvent({ kind, userId }) {
      try {
        const id = await users.idOf(userId);
        // What a site does with it may hang: the user does not wait for that.
        if (id !== null) await withinWait(async () => onEvent({ kind, userId: id }));
      } catch (error) {
        onFailure(`onEvent failed for ${kind}`, error);
      }
    },
  };
}

/** The endpoints of docs/protocol.md#10-recovery on a site, and one that removes the old ways in. */
export function recoveryRoutes(site: Site): Routes {
  const handlers = recoveryHandlers<SiteCall>({
    countTry: (name, call) => countClient(site, name, call),
    wrongCodes: {
      onWrongCode: site.onWrongCode,
      onMany: (message) => site.onFailure("recovery codes are tried", message),
    },
    ...recoveryRules(site),
  });
  const uncounted = { limit: null, countedWithQuery: false, wallets: false } as const;
  const account = (method: string, handle: Route["handle"]) => accountRoute(site, [method], handle);
  return {
    "/api/recovery": { ...uncounted, methods: ["POST"], handle: handlers.open },
    "/api/account/recovery": account("DELETE", handlers.cancel),
    "/api/account/recovery-codes": account("POST", handlers.createRecoveryCodes),
    "/api/account/recovery-codes/confirm": account("POST", handlers.confirmCodes),
    "/api/account/recovery-codes/check": account("POST", handlers.checkCode),
    "/api/account/credentials/before-recovery": account("DELETE", removeOldWays),
  };
}

/** Removes the ways in from before a recovery: of a stolen wallet, until then, the thief signs in with it. */
async function removeOldWays({ core, request }: SiteCall): Promise<Response> {
  const asker = await requireApproval(core, request.headers);
  if (!(await removeWaysBefore(core.database, asker))) throw notSignedIn();
  return new Response(null, { status: 204 });
}

/** What a site's pages show of recovery. */
export type SiteRecovery<UserId> = {
  /**
   * Where the recovery of the browser stands that sends these headers: for the page `/recover`.
   * @param sid the `sid` in the page's query
   */
  ofBrowser(headers: SentHeaders, sid?: unknown): Promise<RecoveryView<UserId>>;
  /** How the signed-in user would get back into their account; null when nobody is signed in. */
  ofAccount(headers: SentHeaders): Promise<AccountRecovery | null>;
};

export function siteRecovery(
  run: <Value>(act: (site: Site) => Promise<Value>) => Promise<Value>,
): SiteRecovery<number | string> {
  return {
    ofBrowser: (headers, sid) =>
      run(async (site) => {
        const view = await readRecovery(site.core, headers, sid, recoveryRules(site));
        if (!("userId" in view)) return view;
        const userId = await site.users.idOf(view.userId);
        return { ...view, userId: userId ?? view.userId };
      }),
    ofAccount: (headers) =>
      run(async ({ core, users }) => {
        const session = await currentSession(core, headers);
        const knownAs = session && (await users.ofSession(session));
        return session && knownAs !== null ? accountRecovery(core, session.userId, knownAs) : null;
      }),
  };
}

/** Has recoveries take effect whose time has come, and deletes those that came to nothing. */
export async function settleRecoveries(site: Site): Promise<void> {
  await finishDueRecoveries(site.core, recoveryRules(site).onEvent);
  await pruneRecoveries(site.core.database, site.core.now());
}

/** The same, again and again until the process stops. */
export function runRecoveries(site: Site): void {
  const { onFailure } = site;
  const timer = setInterval(() => {
    settleRecoveries(site).catch((error) => onFailure("recoveries were not finished", error));
  }, FINISH_EVERY_MS);
  whenStopping(() => clearInterval(timer));
}
