/** The browser's side of linking a wallet: what `@svc/login/linked-wallets` exports. */
import {
  type ChangeResult,
  fetchJson,
  readField,
  readText,
  requestChange,
} from "../../../client/fetch-json.ts";
import { approvingSource, type LoginSource, siteCodes } from "../../../client/login-source.ts";

const PATH = "/api/svc/wallet";

/** Codes that a wallet answers to be linked to the user of the site. The user then compares its key and confirms. */
export function siteLinkingSource(): LoginSource {
  return { ...approvingSource(siteCodes("login", { intent: "add_wallet" })), provider: null };
}

/** The wallet of the user who is signed in at the site. */
export type LinkedWallet = {
  status: "known";
  /** The fingerprint of its key; null if the user has none. */
  wallet: string | null;
  /** The fingerprint of the key that has answered the code; null if none has. */
  answered: string | null;
  /** Whether the user signed in recently enough to add a wallet. */
  fresh: boolean;
};

/** Reads it. @param sid of the code that was answered */
export async function readLinkedWallet(
  sid: string | null,
): Promise<LinkedWallet | { status: "signed-out" } | { status: "unknown" }> {
  const fetched = await fetchJson(sid === null ? PATH : `${PATH}?${new URLSearchParams({ sid })}`);
  if (fetched.kind !== "ok") return { status: fetched.kind === "ended" ? "signed-out" : "unknown" };
  const { body } = fetched;
  return {
    status: "known",
    wallet: readText(body, "wallet"),
    answered: readText(body, "answered"),
    fresh: readField(body, "fresh") === true,
  };
}

/** Links the wallet that answered the code to the user who is signed in at the site. */
export function linkWallet(sid: string): Promise<ChangeResult> {
  return requestChange(PATH, "POST", { sid });
}
