import { type AskingBrowser, describeAsking, OTHER_NETWORK } from "@svc/wallet/asking-browser";
import { type DomainWarning, domainWarnings } from "@svc/wallet/look-alike";
import { CAUTIONS, type Purpose, purposeOf } from "@svc/wallet/purpose";
import type { ChallengePayload, Payload } from "@svc/wallet/read-payload";
import { useEffect, useState } from "react";
import { ChallengeAnatomy, WhatTheSiteGets } from "#components/site/what-is-signed.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { challengeParts, domainOf, webhookOf } from "./request.ts";
import type { Asking } from "./use-asking-browser.ts";
import { nowSeconds } from "./use-code-life.ts";
import type { Site } from "./wallet-storage.ts";

/** How the host that takes the answer comes to take it, where it is not the site itself. */
export type ReceiverKind =
  /** The site was not asked about it. */
  | "unknown"
  /** The person said so. */
  | "trusted"
  /** The site says so. */
  | "named";

/** What a person needs to know before approving, beside the domain itself. */
export function RequestFacts({
  payload,
  sites,
  asking,
  receiver = "unknown",
}: {
  payload: Payload;
  asking: Asking;
  /** Where the wallet has been, the last first. */
  sites: readonly Site[];
  receiver?: ReceiverKind;
}) {
  const domain = domainOf(payload);
  const { host, hostname } = webhookOf(payload);
  const known = sites.find((site) => site.domain === domain);
  const caution = CAUTIONS[purposeOf(payload)];
  const before = payload.kind === "challenge" ? known?.receiver : undefined;
  const warnings = domainWarnings(domain, [...new Set(sites.map((site) => site.domain))]);
  return (
    <>
      {warnings.map((warning) => (
        <Notice key={warning.kind} tone="warning" className="mt-4">
          <Warning warning={warning} />
        </Notice>
      ))}
      {before !== undefined && before !== hostname && (
        <Notice tone="warning" className="mt-4">
          This is new: until now, your answers for {domain} went to{" "}
          <strong className="wrap-anywhere font-semibold">{before}</strong>. If that surprises you, decline.
        </Notice>
      )}
      {caution && (
        <Notice tone="warning" className="mt-4">
          This creates no account of your own. {caution}
        </Notice>
      )}
      {asking?.network === "other" && (
        <Notice tone="warning" className="mt-4">
          {OTHER_NETWORK}
        </Notice>
      )}
      <dl className="mt-4 divide-y border-y text-sm">
        <Fact name="Action">{actionName(payload)}</Fact>
        {asking !== null && (
          <Fact name="Asked by">
            {asking ? (
              <AskedBy browser={asking} />
            ) : (
              <span className="text-muted-foreground">Asking the site…</span>
            )}
          </Fact>
        )}
        <Fact name="Answer goes to">
          <span className="wrap-anywhere font-mono">{host}</span>
          {hostname !== domain && <span className="block text-warning">{RECEIVERS[receiver]}</span>}
        </Fact>
        <Fact name="Been there">
          {known ? (
            <>
              Yes, last <LocalTime iso={new Date(known.lastUsedAt).toISOString()} />
            </>
          ) : (
            <span className={purposeOf(payload) === "register" ? undefined : "text-warning"}>
              First time here. Check the name carefully.
            </span>
          )}
        </Fact>
      </dl>
    </>
  );
}

const RECEIVERS: Record<ReceiverKind, string> = {
  unknown: "not this site, and not yet known to speak for it",
  trusted: "a login service that you trust for this site",
  named: "a login service that this site names as its own",
};

const ACTIONS: Record<Purpose, string> = {
  login: "Sign in",
  register: "Create an account",
  approve: "Approve a change, without a sign-in",
  add: "Link this key, without a new account",
  recover: "Recover an account, not a new one",
};

function actionName(payload: Payload): string {
  const purpose = purposeOf(payload);
  return payload.kind === "fast" && purpose === "login" ? "Sign in with an address" : ACTIONS[purpose];
}

function Warning({ warning }: { warning: DomainWarning }) {
  if (warning.kind === "look_alike") {
    return (
      <>
        This is not <strong className="wrap-anywhere font-semibold">{warning.known}</strong>, where you have
        been, though the names are alike. If you meant that one, decline.
      </>
    );
  }
  return (
    <>
      This name holds letters beyond a–z. Elsewhere it looks like{" "}
      <span className="wrap-anywhere">“{warning.written}”</span>, which may imitate another name: go by the
      one above.
    </>
  );
}

/** Which browser asks, and how long ago it asked, as time goes on. */
function AskedBy({ browser }: { browser: AskingBrowser }) {
  const [now, setNow] = useState(nowSeconds);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="wrap-anywhere tabular-nums">{describeAsking(browser, now)}</span>;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 py-2">
      <dt className="text-muted-foreground">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What is signed and what the site gets, for people who want to know; open once it has been `told` to the site. */
export function RequestStory({ payload, told }: { payload: ChallengePayload; told: boolean }) {
  return (
    <details className="mt-4 border-t pt-2" open={told}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        {told ? "What was signed, and what the site got" : "What is signed, and what the site gets"}
      </summary>
      <div className="grid gap-4 pt-2">
        <ChallengeAnatomy
          challenge={challengeParts(payload)}
          title={told ? "Exactly what your wallet signed" : "Exactly what your wallet signs"}
          className=""
        />
        <WhatTheSiteGets domain={payload.challenge.domain} over={told} />
      </div>
    </details>
  );
}
