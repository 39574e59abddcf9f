import { APPROVAL_WAYS, type ApprovalWay } from "#lib/contracts/approval.ts";
import { readField } from "./read-field.ts";

/** What the user can approve with, when an error says that an approval is missing; null for any other answer. */
export function readApproval(body: unknown): ApprovalWay[] | null {
  const error = readField(body, "error");
  if (readField(error, "code") !== "approval_required") return null;
  const told = readField(readField(error, "details"), "approve_with");
  const ways = APPROVAL_WAYS.filter((way) => Array.isArray(told) && told.includes(way));
  if (Array.isArray(told)) ways.sort((a, b) => told.indexOf(a) - told.indexOf(b));
  return ways.length > 0 ? ways : ["public_key"];
}
