import { type Purpose, REQUESTS } from "@svc/wallet/purpose";
import type { Payload } from "@svc/wallet/read-payload";
import type { WalletRequest } from "@svc/wallet/request";
import { KeyName } from "#components/login/key-name.tsx";
import { Notice } from "#components/ui/notice.tsx";

const TITLES: Record<Purpose, string> = {
  login: "Sign in to",
  register: "Create an account at",
  approve: "Approve a change to your account at",
  add: "Link this key to an existing account at",
  recover: "Recover an existing account at",
};

/** What is asked, and by whom: the domain larger than anything else. */
export function RequestTitle({ payload, phase }: { payload: Payload | null; phase: WalletRequest["phase"] }) {
  if (payload === null) {
    return (
      <h2 id="request-title" className="text-center font-semibold">
        {phase === "declined" ? "Declined" : "Not signed"}
      </h2>
    );
  }
  return (
    <h2 id="request-title" className="text-center">
      <span className="block text-muted-foreground text-sm">
        {phase === "refused" ? "Nothing was signed for" : TITLES[payload.purpose]}
      </span>{" "}
      <strong className="wrap-anywhere font-semibold text-title">{payload.domain}</strong>
    </h2>
  );
}

/** What came of a request so far, in words. */
export function RequestOutcome({ request }: { request: WalletRequest }) {
  switch (request.phase) {
    case "asking":
      return request.problem ? (
        <Notice tone="warning" className="my-4">
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
      return <Progress>Asking {request.payload.domain} who takes its answers…</Progress>;
    case "confirming":
      return <Progress>Waiting for you to confirm…</Progress>;
    case "sending":
      return <Progress>{request.retry ?? "Signed. Waiting for the site’s answer…"}</Progress>;
    case "declined":
      return <Progress>Nothing was signed, and the site was told nothing.</Progress>;
    case "refused":
      return (
        <Notice {...refusalLook(request)} className="mt-4">
          <Refusal message={request.message} />
        </Notice>
      );
    case "answered":
      return (
        <>
          <Notice tone={request.result.ok ? "success" : "warning"} className="mt-4">
            <p>{request.result.advice}</p>
            {request.result.message && (
              <p className="mt-1 wrap-anywhere text-muted-foreground">
                The site says: {request.result.message}
              </p>
            )}
          </Notice>
          {request.result.ok && <AnsweringKey {...request} />}
        </>
      );
  }
}

/** Why nothing was signed. What follows the first line is for whoever runs the site. */
function Refusal({ message }: { message: string }) {
  const [why, ...forSite] = message.split("\n");
  return (
    <>
      <p className="wrap-anywhere">{why}</p>
      {forSite.length > 0 && (
        <details className="mt-2">
          <summary className="flex min-h-9 cursor-pointer items-center rounded-base underline underline-offset-4">
            Is this site yours?
          </summary>
          {forSite.map((line) => (
            <p key={line} className="wrap-anywhere mt-2">
              {line}
            </p>
          ))}
        </details>
      )}
    </>
  );
}

/** With which key it was answered: some pages ask to compare it before they go on. */
export function AnsweringKey({ payload, keyName }: Extract<WalletRequest, { phase: "answered" }>) {
  if (!keyName) return null;
  return (
    <div className="mt-4 grid gap-1 text-center text-sm">
      <p className="text-muted-foreground">
        {payload.kind === "fast" ? "Your address" : `Your key for ${payload.domain}`}
      </p>
      <KeyName name={keyName} />
      {(payload.purpose === "add" || payload.purpose === "recover") && (
        <p className="text-muted-foreground">The page shows the same. If it does not, say no there.</p>
      )}
    </div>
  );
}

/** A code that ran out is no attack; one whose answer would go elsewhere may be. */
function refusalLook({ trust, ranOut }: Extract<WalletRequest, { phase: "refused" }>) {
  if (ranOut) return { tone: "warning" } as const;
  if (trust) return { tone: "blocked", title: "Blocked: somebody may be trying to sign in as you" } as const;
  return { tone: "danger", title: "Your wallet did not sign this" } as const;
}

function Progress({ children }: { children: React.ReactNode }) {
  return <p className="mt-4 text-center text-muted-foreground">{children}</p>;
}

/** The page's one live sentence: what just happened, for those who do not see it. */
export function statusSentence(request: WalletRequest | null): string {
  switch (request?.phase) {
    case undefined:
      return "";
    case "asking": {
      const wish = REQUESTS[request.payload.purpose];
      const question = `${request.payload.domain} asks: ${wish}. Approve or decline.`;
      return request.problem ? `${request.problem} ${question}` : question;
    }
    case "elsewhere":
      return `The answer for ${request.payload.domain} would go to ${new URL(request.payload.webhook).hostname}. Check with the site or decline.`;
    case "looking":
      return `Asking ${request.payload.domain}.`;
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
