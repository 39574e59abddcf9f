import { createContext, useContext } from "react";
import type { ApprovalWay } from "#lib/approval/details.ts";

/** What was asked for, with what can approve it when an approval is missing. */
type Approvable = { approval?: readonly ApprovalWay[] | null };

/**
 * Asks for a change; when an approval is missing, has the user give it in place and asks again. The result is the
 * last answer: the refusal, when the user did not approve.
 */
export type AskWithApproval = <Result extends Approvable>(ask: () => Promise<Result>) => Promise<Result>;

export const ApprovalContext = createContext<AskWithApproval | null>(null);

/** @throws outside an `ApprovalProvider` */
export function useApproval(): AskWithApproval {
  const ask = useContext(ApprovalContext);
  if (!ask) throw new Error("There is no ApprovalProvider around this.");
  return ask;
}
