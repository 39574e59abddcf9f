import { refusal } from "../../protocol/errors.ts";
import type { AuthorizeCode, Plugin } from "../../site/plugin.ts";
import { runRepeatedly } from "../../site/runtime.ts";
import { createRecoveryStep, type RecoveryEvent } from "./finish-recovery.ts";
import { findBrowserRecovery } from "./read-recovery.ts";
import { createRecoveryRoutes } from "./recovery-routes.ts";
import {
  createRecoveryOptions,
  createSiteRecovery,
  finishAndPruneRecoveries,
  type SiteRecovery,
} from "./site-recovery.ts";

/** `userId` is the user's id at the site. */
export type SiteEvent = { kind: RecoveryEvent["kind"]; userId: number | string };

declare module "../../site/options.ts" {
  interface PluginOptions {
    /** How many hours pass before a recovery takes effect. The default is 0. */
    recoveryDelayHours?: number;
    onEvent?: (event: SiteEvent) => void | Promise<void>;
    onWrongCode?: () => void;
  }
}

declare module "../../site/plugin.ts" {
  interface LoginExtensions<UserId> {
    recovery: {
      recovery: SiteRecovery<UserId>;
    };
  }
}

const FINISH_EVERY_MS = 60_000;

/** For users who have lost their wallet (docs/protocol.md#10-recovery). */
export function recovery(): Plugin<"recovery"> {
  return {
    name: "recovery",
    needs: ["approvals", "added-keys"],
    routes: createRecoveryRoutes,
    intents: () => ({ recover }),
    redemptionStep: (site, headers) => createRecoveryStep(site.core, headers, createRecoveryOptions(site)),
    async onUndone(site, { cancelsRecovery, userId }) {
      if (!cancelsRecovery || userId === null) return;
      await createRecoveryOptions(site).onEvent({ kind: "recovery_cancelled", userId });
    },
    prune: finishAndPruneRecoveries,
    start(site) {
      if (site.isGuarded) return;
      runRepeatedly(
        FINISH_EVERY_MS,
        () => finishAndPruneRecoveries(site),
        site.onFailure,
        "recoveries were not finished",
      );
    },
    extend: ({ run }) => ({ recovery: createSiteRecovery(run) }),
  };
}

/** @throws {Refusal} 400 if the mode is `login`; 401 `invalid_recovery_code` if no recovery is open */
const recover: AuthorizeCode = async (core, { action, headers }) => {
  if (action === "login") {
    throw refusal("invalid_request", 'A code with the intent "recover" must have the mode "register".');
  }
  const recovery = await findBrowserRecovery(core, headers);
  if (recovery?.status === "open") return recovery.id;
  throw refusal("invalid_recovery_code", "No recovery is open in this browser. Enter a recovery code first.");
};
