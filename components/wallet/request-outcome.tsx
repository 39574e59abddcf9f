import { Notice } from "#components/ui/notice.tsx";
import { domainOf, type WalletRequest } from "./request.ts";

/** What came of a request so far, in words. */
export function RequestOutcome({ request }: { request: WalletRequest }) {
  switch (request.phase) {
    case "asking":
      return request.problem ? (
        <Notice tone="warning" className="mt-4">
          {request.problem} Try again, or decline.
        </Notice>
      ) : null;
    case "elsewhere":
      return (
        <Notice tone="warning" className="mt-4">
          The answer would not go to this site itself. Sites can name who takes their answers: check with it
          before you go on. The site then knows that somebody is about to sign in; nothing is signed yet.
        </Notice>
      );
    case "looking":
      return <Progress>Asking {domainOf(request.payload)} who takes its answers…</Progress>;
    case "confirming":
      return <Progress>Waiting for you to confirm…</Progress>;
    case "sending":
      return <Progress>{request.retry ?? "Signed. Waiting for the site’s answer…"}</Progress>;
    case "declined":
      return <Progress>Nothing was signed, and the site was told nothing.</Progress>;
    case "refused":
      return (
        <Notice tone="danger" className="mt-4">
          {request.message.split("\n").map((line) => (
            <p key={line} className="wrap-anywhere not-first:mt-2">
              {line}
            </p>
          ))}
        </Notice>
      );
    case "answered":
      return (
        <Notice tone={request.result.ok ? "success" : "warning"} className="mt-4">
          <p>{request.result.advice}</p>
          {request.result.message && (
            <p className="mt-1 wrap-anywhere text-muted-foreground">
              The site says: {request.result.message}
            </p>
          )}
        </Notice>
      );
  }
}

function Progress({ children }: { children: React.ReactNode }) {
  return <p className="mt-4 text-center text-muted-foreground">{children}</p>;
}
