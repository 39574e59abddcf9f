import { domainOf, type WalletRequest } from "./request.ts";

/** The page's one live sentence: what just happened, for those who do not see it. */
export function statusSentence(request: WalletRequest | null): string {
  switch (request?.phase) {
    case undefined:
      return "";
    case "asking": {
      const { payload } = request;
      const registers = payload.kind === "challenge" && payload.challenge.action === "register";
      return `${domainOf(payload)} asks: ${registers ? "create an account" : "sign in"}. Approve or decline.`;
    }
    case "sending":
      return "Signed. Waiting for the site’s answer.";
    case "declined":
      return "Declined. Nothing was signed.";
    case "refused":
      return `Not signed. ${request.message}`;
    case "answered":
      return request.result.advice;
  }
}
