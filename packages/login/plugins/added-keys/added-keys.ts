import { ADDED_KEY_PAGES } from "../../protocol/paths.ts";
import type { AuthorizeCode, Plugin } from "../../site/plugin.ts";
import { requireApproval } from "../approvals/requester.ts";
import { createAddedKeyRoute } from "./question.ts";

declare module "../../site/options.ts" {
  interface PluginOptions {
    /** Whether the site has pages on which a key that answers a code with `intent=add` is added to an account. */
    addsKeys?: boolean;
  }
}

/**
 * Lets signed-in users add keys to their account (docs/protocol.md#45-added-keys). A key's holder must consent before
 * the key's first sign-in in a different browser. The same applies to a key that a recovery has added.
 */
export function addedKeys(): Plugin<"added-keys"> {
  return {
    name: "added-keys",
    needs: ["approvals"],
    routes: (site) => ({ [ADDED_KEY_PAGES.plain]: createAddedKeyRoute(site) }),
    intents: ({ options }) => (options.addsKeys ? { add } : {}),
  };
}

/** @throws {Refusal} 401 without a session; 403 `approval_required` without a fresh approval */
const add: AuthorizeCode = async (core, { headers }) => (await requireApproval(core, headers)).sessionId;
