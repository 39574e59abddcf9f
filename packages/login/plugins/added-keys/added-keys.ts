import { ADDED_KEY_PAGES } from "../../protocol/paths.ts";
import type { AuthorizeCode, Plugin } from "../../site/plugin.ts";
import { requireApproval } from "../approvals/requester.ts";
import { createAddedKeyRoute } from "./question.ts";

declare module "../../site/options.ts" {
  interface PluginOptions {
    /** Whether the site has pages on which users confirm a key that answered a code with `intent=add`. */
    addsKeys?: boolean;
  }
}

/**
 * When a key that was added (docs/protocol.md#45-added-keys) first signs in from a different browser, its holder must
 * consent. The same applies to a key added by a recovery.
 */
export function addedKeys(): Plugin<"added-keys"> {
  return {
    name: "added-keys",
    needs: ["approvals"],
    routes: (site) => ({ [ADDED_KEY_PAGES.plain]: createAddedKeyRoute(site) }),
    intents: ({ options }) => (options.addsKeys ? { add } : {}),
  };
}

/** @throws {Refusal} 401 without a session; 403 `approval_required` without a recent approval */
const add: AuthorizeCode = async (core, { headers }) => (await requireApproval(core, headers)).sessionId;
