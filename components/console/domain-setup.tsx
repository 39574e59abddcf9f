import { delegationUrl, formatDelegation } from "@svc/wallet/delegation-file";
import { CodeBlock } from "#components/ui/code.tsx";
import { Disclosure } from "#components/ui/details.tsx";
import type { DomainDetail, Finding } from "#lib/hosted/contract/domain.ts";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { Badge, Notice } from "#packages/react/ui/elements.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";
import { ActionButton } from "./console-action.tsx";
import { Task, type TaskState } from "./console-page.tsx";

/** The time and the result of the last check. */
type DomainCheck = {
  /** ISO 8601. */
  at: string;
  findings: Finding[];
};

/** Explains how to prove that you own a domain, and shows the result of the last check. */
export function DomainProof({
  domain: { id, domain, verified_at, verification_token: token },
  check,
}: {
  domain: DomainDetail;
  check: DomainCheck | null;
}) {
  if (verified_at) {
    return (
      <Task id="proof" title="1. Prove that it is yours" state={{ tone: "success", label: "Proved" }}>
        <p className="-mt-3 text-muted-foreground text-sm">
          Since <LocalTime iso={verified_at} />.
        </p>
      </Task>
    );
  }
  return (
    <Task
      id="proof"
      title="1. Prove that it is yours"
      state={check ? { tone: "danger", label: "Token not found" } : { tone: "warning", label: "To do" }}
      text="Put the token in one of these two places, then choose “Verify now”. DNS changes can take some minutes to arrive."
    >
      <div className="grid gap-4">
        <Place title="A TXT record">
          <Line name="Name" value={`_svc-challenge.${domain}`} />
          <Line name="Value" value={token} />
        </Place>
        <Place title="Or a file">
          <Line name="Address" value={`https://${domain}/.well-known/svc-challenge.txt`} />
          <Line name="Text" value={token} />
        </Place>
      </div>
      <p className="mt-3 text-muted-foreground text-sm">
        A TXT record on {domain} also works. Leave the token in place until the domain is verified.
      </p>
      <div className="mt-4">
        <ActionButton
          path={`/domains/${id}/verify`}
          label="Verify now"
          pendingLabel="Looking…"
          variant="primary"
        />
      </div>
      {check && <Findings {...check} />}
    </Task>
  );
}

function Place({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="rounded-base border p-4">
      <h3 className="mb-2 font-semibold text-sm">{title}</h3>
      <dl className="grid gap-3">{children}</dl>
    </section>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className="items-center gap-x-4 sm:grid sm:grid-cols-[4rem_minmax(0,1fr)]">
      <dt className="text-muted-foreground text-sm">{name}</dt>
      <dd className="grid items-center justify-items-start gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto]">
        <span className="wrap-anywhere text-balance font-mono text-sm">{value}</span>
        <CopyButton text={value} iconOnly>
          Copy
        </CopyButton>
      </dd>
    </div>
  );
}

function Findings({ at, findings }: DomainCheck) {
  return (
    <section aria-labelledby="findings" className="mt-4 border-t pt-4">
      <h3 id="findings" className="font-semibold text-sm">
        Result of the last check
      </h3>
      <p className="text-muted-foreground text-sm">
        <LocalTime iso={at} />
      </p>
      <dl className="mt-2 divide-y text-sm">
        {findings.map(({ looked_at, found }) => (
          <div key={looked_at} className="grid gap-x-6 py-2 sm:grid-cols-2">
            <dt className="wrap-anywhere font-mono">{looked_at}</dt>
            <dd className="wrap-anywhere text-muted-foreground">{found}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Says whether ownership of a domain is proved. */
export function VerifiedBadge({ verified }: { verified: boolean }) {
  return verified ? (
    <Badge tone="success">Ownership verified</Badge>
  ) : (
    <Badge tone="warning">Not verified</Badge>
  );
}

type DomainDelegationProps = {
  domain: DomainDetail;
  /** The host that wallets post their answers to. */
  apiHost: string;
};

const STATES: Record<DomainDetail["delegation"]["status"], TaskState> = {
  ok: { tone: "success", label: "Wallets answer" },
  missing: { tone: "danger", label: "Wallets refuse" },
  invalid: { tone: "danger", label: "Wallets refuse" },
  unchecked: { tone: "neutral", label: "Not checked" },
};

/**
 * Whether wallets send answers for a domain here: the last result, the file to publish, and a button to check again.
 */
export function DomainDelegation(props: DomainDelegationProps) {
  const { apiHost } = props;
  const { id, domain, verified, delegation } = props.domain;
  const file = <FileToPublish domain={domain} apiHost={apiHost} />;
  return (
    <Task
      id="delegation"
      title="2. Let wallets in"
      state={STATES[delegation.status]}
      text={
        <>
          A wallet sends its answer to the site itself, or to a host that the site names. Your users’ wallets
          answer at <span className="wrap-anywhere">{apiHost}</span>.
        </>
      }
    >
      {domain === apiHost ? (
        <p className="text-sm">That is this domain, so there is nothing to publish.</p>
      ) : (
        <div className="grid gap-4">
          <Seen {...props} />
          {delegation.status === "ok" ? (
            <Disclosure summary="The file" className="">
              {file}
            </Disclosure>
          ) : (
            file
          )}
          {verified ? (
            <ActionButton path={`/domains/${id}/verify`} label="Check again" pendingLabel="Looking…" />
          ) : (
            <p className="text-muted-foreground text-sm">“Verify now” also looks for this file.</p>
          )}
          {delegation.checked_at && (
            <p className="text-muted-foreground text-sm">
              Last checked <LocalTime iso={delegation.checked_at} />
              {verified && "; we look once a day"}.
            </p>
          )}
        </div>
      )}
    </Task>
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
            ? "We have not checked yet."
            : `We couldn’t check: ${reason}. Wallets check from their own network.`}{" "}
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
