import { limitDatabaseWait } from "../../database/database-wait.ts";
import { currentSession } from "../../server/browser-session.ts";
import type { RequestHeaders } from "../../server/web-request.ts";
import type { PluginOptions } from "../../site/options.ts";
import type { Site } from "../../site/plugin.ts";
import type { RecoveryOptions } from "./finish-recovery.ts";
import { finishDueRecoveries } from "./finish-recovery.ts";
import {
  type AccountRecovery,
  type RecoveryView,
  readAccountRecovery,
  readRecovery,
} from "./read-recovery.ts";
import { pruneRecoveries } from "./store/recovery.ts";

/** docs/template.md#recovery */

export function createRecoveryOptions({
  options,
  users,
  onFailure,
}: Pick<Site, "onFailure"> & {
  options: Pick<PluginOptions, "recoveryDelayHours" | "onEvent">;
  users: Pick<Site["users"], "idOf">;
}): RecoveryOptions {
  const { recoveryDelayHours = 0, onEvent = () => {} } = options;
  return {
    delaySeconds: recoveryDelayHours * 60 * 60,
    async onEvent({ kind, userId }) {
      try {
        const id = await users.idOf(userId);
        // The site's hook might hang, so wait for it only as long as a request may wait.
        if (id !== null) await limitDatabaseWait(async () => onEvent({ kind, userId: id }));
      } catch (error) {
        onFailure(`onEvent failed for ${kind}`, error);
      }
    },
  };
}

export type SiteRecovery<UserId> = {
  /**
   * For the page `/recover`.
   * @param sid the `sid` in the page's query
   */
  ofBrowser(headers: RequestHeaders, sid?: unknown): Promise<RecoveryView<UserId>>;
  ofAccount(headers: RequestHeaders): Promise<AccountRecovery | null>;
};

export function createSiteRecovery(
  run: <Value>(act: (site: Site) => Promise<Value>) => Promise<Value>,
): SiteRecovery<number | string> {
  return {
    ofBrowser: (headers, sid) =>
      run(async (site) => {
        const view = await readRecovery(site.core, headers, sid, createRecoveryOptions(site));
        if (!("userId" in view)) return view;
        const userId = await site.users.idOf(view.userId);
        return { ...view, userId: userId ?? view.userId };
      }),
    ofAccount: (headers) =>
      run(async ({ core, users }) => {
        const session = await currentSession(core, headers);
        const knownAs = session && (await users.ofSession(session));
        return session && knownAs !== null ? readAccountRecovery(core, session.userId, knownAs) : null;
      }),
  };
}

/** Deletes recoveries that can no longer be completed. */
export async function finishAndPruneRecoveries(site: Site): Promise<void> {
  await finishDueRecoveries(site.core, createRecoveryOptions(site).onEvent);
  await pruneRecoveries(site.core.database, site.core.now());
}
