/** For pages on which users link a wallet. */
import {
  type ChangeResult,
  fetchJson,
  readField,
  readTextField,
  requestChange,
  treatGoneAsDone,
} from "../../../client/fetch-json.ts";
import { createSiteSource, type LoginSource, stopLoginOnForbidden } from "../../../client/login-source.ts";

const PATH = "/api/svc/wallet";

/** The wallet that answers a code can be linked once the user has compared and confirmed its key. */
export function linkedWalletSource(): LoginSource {
  return { ...stopLoginOnForbidden(createSiteSource("login", { intent: "add_wallet" })), provider: null };
}

export type LinkedWallet = {
  status: "known";
  /** The fingerprint of the wallet's key, or null if the user has no wallet yet. */
  wallet: string | null;
  /** The fingerprint of the key that answered the code, or null if no key has answered yet. */
  answered: string | null;
  /** Whether the user signed in recently enough to add a wallet. */
  fresh: boolean;
};

export async function readLinkedWallet(
  sid: string | null,
): Promise<LinkedWallet | { status: "signed-out" } | { status: "unknown" }> {
  const fetched = await fetchJson(sid === null ? PATH : `${PATH}?${new URLSearchParams({ sid })}`);
  if (fetched.kind !== "ok") return { status: fetched.kind === "ended" ? "signed-out" : "unknown" };
  const { body } = fetched;
  return {
    status: "known",
    wallet: readTextField(body, "wallet"),
    answered: readTextField(body, "answered"),
    fresh: readField(body, "fresh") === true,
  };
}

export function linkWallet(sid: string): Promise<ChangeResult> {
  return requestChange(PATH, "POST", { sid });
}

/**
 * Ends the sessions that the wallet opened. The user can then link a new one. Also succeeds if the user no longer has a
 * wallet.
 */
export async function removeWallet(): Promise<ChangeResult> {
  return treatGoneAsDone(await requestChange(PATH, "DELETE"));
}
