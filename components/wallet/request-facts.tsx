import { type AskingBrowser, describeAskingBrowser, OTHER_NETWORK_WARNING } from "@svc/wallet/asking-browser";
import { type DomainWarning, findDomainWarnings } from "@svc/wallet/look-alike";
import { LINK_WARNINGS, type Purpose } from "@svc/wallet/purpose";
import type { Payload } from "@svc/wallet/read-payload";
import type { AskingBrowserState } from "@svc/wallet/request-flow";
import type { SiteClock } from "@svc/wallet/site-clock";
import { useEffect, useEffectEvent, useState } from "react";
import { ChallengeAnatomy, DataSentToSite } from "#components/site/what-is-signed.tsx";
import { Disclosure } from "#components/ui/details.tsx";
import { Notice } from "#packages/react/ui/elements.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";
import type { Site, TrustedHost } from "./wallet-storage.ts";

export function RequestFacts({
  payload,
  sites,
  trusts,
  asking,
  siteClock,
  isNamed = false,
}: {
  payload: Payload;
  asking: AskingBrowserState;
  siteClock: SiteClock;
  sites: readonly Site[];
  trusts: readonly TrustedHost[];
  /** True if the site or the user has allowed this receiver. */
  isNamed?: boolean;
}) {
  const { domain, purpose } = payload;
  const { host, hostname } = new URL(payload.webhook);
  const knownSite = sites.find((site) => site.domain === domain);
  const previousReceiver = payload.kind === "challenge" ? knownSite?.receiver : undefined;
  const isTrusted = trusts.some((trust) => trust.domain === domain && trust.host === hostname);
  const warnings = findDomainWarnings(domain, [...new Set(sites.map((site) => site.domain))]);
  return (
    <>
      {warnings.map((warning) => (
        <Warning key={warning.kind}>{warningText(warning)}</Warning>
      ))}
      {previousReceiver !== undefined && previousReceiver !== hostname && (
        <Warning>
          This is new: until now, your answers for {domain} went to{" "}
          <strong className="wrap-anywhere font-semibold">{previousReceiver}</strong>. If that surprises you,
          decline.
        </Warning>
      )}
      {LINK_WARNINGS[purpose] && (
        <Warning>This does not create your own account. {LINK_WARNINGS[purpose]}</Warning>
      )}
      {asking?.network === "other" && <Warning>{OTHER_NETWORK_WARNING}</Warning>}
      <dl className="mt-4 divide-y border-y text-sm">
        <Fact name="Action">{actionName(payload)}</Fact>
        {asking !== null && (
          <Fact name="Requested by">
            {asking ? (
              <AskedBy browser={asking} now={() => siteClock.now(payload)} />
            ) : (
              <span className="text-muted-foreground">Asking the site…</span>
            )}
          </Fact>
        )}
        <Fact name="Sent to">
          <span className="wrap-anywhere font-mono">{host}</span>
          {hostname !== domain && (
            <span className="block text-warning">
              {!isNamed
                ? "another server, and the site has not confirmed it yet"
                : `a login service that ${isTrusted ? "you trust for this site" : "this site names as its own"}`}
            </span>
          )}
        </Fact>
        <Fact name="Visited before">
          {knownSite ? (
            <>
              Yes, last <LocalTime iso={new Date(knownSite.lastUsedAt).toISOString()} />
            </>
          ) : (
            <span className={purpose === "register" ? undefined : "text-warning"}>
              First time here. Check the name carefully.
            </span>
          )}
        </Fact>
      </dl>
    </>
  );
}

const ACTIONS: Record<Purpose, string> = {
  login: "Sign in",
  register: "Create an account",
  approve: "Approve a change without signing in",
  add: "Link this key without creating an account",
  recover: "Recover an existing account",
};

function actionName({ kind, purpose }: Payload): string {
  return kind === "fast" && purpose === "login" ? "Sign in with an address" : ACTIONS[purpose];
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <Notice tone="warning" className="mt-4">
      {children}
    </Notice>
  );
}

function warningText(warning: DomainWarning): React.ReactNode {
  if (warning.kind === "look_alike") {
    return (
      <>
        This is not <strong className="wrap-anywhere font-semibold">{warning.known}</strong>, a site with a
        similar name that you have visited. If you meant that site, decline.
      </>
    );
  }
  return (
    <>
      Careful: this name contains letters from another alphabet. It is made to look like{" "}
      <span className="wrap-anywhere">“{warning.written}”</span>. Check the name above.
    </>
  );
}

/** Uses the site's clock. Updates as time passes. */
function AskedBy({ browser, now }: { browser: AskingBrowser; now: () => number }) {
  const [time, setTime] = useState(now);
  const read = useEffectEvent(() => setTime(now()));
  useEffect(() => {
    const timer = setInterval(() => read(), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="wrap-anywhere tabular-nums">{describeAskingBrowser(browser, time)}</span>;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 py-2">
      <dt className="text-muted-foreground">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function RequestStory({ payload, isSent }: { payload: Payload; isSent: boolean }) {
  return (
    <Disclosure
      summary={isSent ? "Details of what was signed and sent" : "Details of what will be signed and sent"}
    >
      <div className="grid gap-4 pt-2">
        <ChallengeAnatomy
          payload={payload}
          title={isSent ? "Exactly what your wallet signed" : "Exactly what your wallet signs"}
        />
        <DataSentToSite domain={payload.domain} over={isSent} />
      </div>
    </Disclosure>
  );
}
