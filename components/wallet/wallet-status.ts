import { purposeOf, REQUESTS } from "#lib/wallet/purpose.ts";
import { domainOf, type WalletRequest, webhookOf } from "./request.ts";

/** The page's one live sentence: what just happened, for those who do not see it. */
export function statusSentence(request: WalletRequest | null): string {
  switch (request?.phase) {
    case undefined:
      return "";
    case "asking": {
      const wish = REQUESTS[purposeOf(request.payload)];
      const question = `${domainOf(request.payload)} asks: ${wish}. Approve or decline.`;
      return request.problem ? `${request.problem} ${question}` : question;
    }
    case "elsewhere":
      return `The answer for ${domainOf(request.payload)} would go to ${webhookOf(request.payload).hostname}. Check with the site or decline.`;
    case "looking":
      return `Asking ${domainOf(request.payload)}.`;
    case "confirming":
      return "Waiting for you to confirm.";
    case "sending":
      return request.retry ?? "Signed. Waiting for the site’s answer.";
    case "declined":
      return "Declined. Nothing was signed.";
    case "refused":
      return `Not signed. ${request.message}`;
    case "answered":
      return request.result.advice;
  }
}

/** Why the answer is sent once more. */
export function retrySentence(reason: "server_error" | "unreachable"): string {
  return reason === "unreachable" ? "No answer yet. Trying again…" : "The site has a problem. Trying again…";
}
