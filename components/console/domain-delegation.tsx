import { delegationUrl, formatDelegation } from "@svc/wallet/delegation-file";
import { CodeBlock } from "#components/ui/code.tsx";
import { Badge, type BadgeTone, Notice } from "#components/ui/elements.tsx";
import { LocalTime } from "#components/ui/time.tsx";
import type { DomainDetail } from "#lib/hosted/contract/domain.ts";
import { ActionButton } from "./console-action.tsx";
import { Section } from "./console-page.tsx";

type DomainDelegationProps = {
  domain: DomainDetail;
  /** The host that wallets post their answers to. */
  apiHost: string;
};

const STATES: Record<DomainDetail["delegation"]["status"], { tone: BadgeTone; label: string }> = {
  ok: { tone: "success", label: "Named" },
  missing: { tone: "warning", label: "Missing" },
  invalid: { tone: "warning", label: "Not valid" },
  unchecked: { tone: "neutral", label: "Not checked" },
};

/** Whether wallets send answers for a domain here: what was seen, the file to publish, and a way to look again. */
export function DomainDelegation(props: DomainDelegationProps) {
  const { apiHost } = props;
  const { id, domain, verified, delegation } = props.domain;
  const { tone, label } = STATES[delegation.status];
  const file = <FileToPublish domain={domain} apiHost={apiHost} />;
  return (
    <Section
      id="delegation"
      title="Wallets"
      text={
        <>
          A wallet sends its answer to the site itself, or to a host that the site names. Your users’ wallets
          answer at <span className="wrap-anywhere">{apiHost}</span>.
        </>
      }
      actions={<Badge tone={tone}>{label}</Badge>}
    >
      {domain === apiHost ? (
        <p className="text-sm">That is this very domain, so there is nothing to publish.</p>
      ) : (
        <div className="grid gap-4">
          <Seen {...props} />
          {delegation.status === "ok" ? (
            <details>
              <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
                The file
              </summary>
              {file}
            </details>
          ) : (
            file
          )}
          {verified ? (
            <ActionButton path={`/domains/${id}/verify`} label="Look again" pendingLabel="Looking…" />
          ) : (
            <p className="text-muted-foreground text-sm">“Verify now” looks for this file, too.</p>
          )}
          {delegation.checked_at && (
            <p className="text-muted-foreground text-sm">
              Last looked at <LocalTime iso={delegation.checked_at} />
              {verified && "; we look once a day"}.
            </p>
          )}
        </div>
      )}
    </Section>
  );
}

function Seen({ domain: { domain, delegation }, apiHost }: DomainDelegationProps) {
  const { status, reason } = delegation;
  switch (status) {
    case "ok":
      return (
        <p className="wrap-anywhere text-sm">
          {domain} names {apiHost}. Wallets answer here, and show their users both names.
        </p>
      );
    case "unchecked":
      return (
        <Notice>
          {reason === null
            ? "We have not looked yet."
            : `We could not look: ${reason}. A wallet looks from where it is.`}{" "}
          Without this file, wallets refuse to sign in to <span className="wrap-anywhere">{domain}</span>.
        </Notice>
      );
    default:
      return (
        <Notice tone="warning">
          Wallets refuse to sign in to <span className="wrap-anywhere">{domain}</span>: {reason}.
        </Notice>
      );
  }
}

function FileToPublish({ domain, apiHost }: { domain: string; apiHost: string }) {
  return (
    <div className="grid gap-2">
      <CodeBlock label={delegationUrl(domain)} code={formatDelegation(domain, [apiHost])} />
      <p className="text-muted-foreground text-sm">
        Serve it with <span className="font-mono">Content-Type: application/json</span> and{" "}
        <span className="font-mono">Access-Control-Allow-Origin: *</span>, without a redirect.
      </p>
    </div>
  );
}
