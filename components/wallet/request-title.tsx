import { type Purpose, purposeOf } from "#lib/wallet/purpose.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { domainOf, type WalletRequest } from "./request.ts";

const TITLES: Record<Purpose, string> = {
  login: "Sign in to",
  register: "Create an account at",
  approve: "Approve a change to your account at",
  add: "Link this key to an existing account at",
  recover: "Recover an existing account at",
};

/** What is asked, and by whom: the domain larger than anything else. */
export function RequestTitle({ payload, phase }: { payload: Payload; phase: WalletRequest["phase"] }) {
  return (
    <h2 id="request-title" className="text-center">
      <span className="block text-muted-foreground text-sm">
        {phase === "refused" ? "Nothing was signed for" : TITLES[purposeOf(payload)]}
      </span>{" "}
      <strong className="wrap-anywhere font-semibold text-title">{domainOf(payload)}</strong>
    </h2>
  );
}
