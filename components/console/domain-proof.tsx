import { CopyButton } from "#components/ui/button.tsx";
import { Badge } from "#components/ui/elements.tsx";
import { LocalTime } from "#components/ui/time.tsx";
import type { DomainDetail, Finding } from "#lib/hosted/contract/domain.ts";
import { ActionButton } from "./console-action.tsx";
import { Section } from "./console-page.tsx";

/** What the last check looked at. */
type DomainCheck = {
  /** ISO 8601. */
  at: string;
  findings: Finding[];
};

/** How to prove that a domain is one's own: what to put where, and what was found there last. */
export function DomainProof({
  domain: { id, domain, verification_token: token },
  check,
}: {
  domain: DomainDetail;
  check: DomainCheck | null;
}) {
  return (
    <Section
      id="proof"
      title="Verify that it is yours"
      text="Put the token at one of these two places, then let us look. DNS changes can take some minutes to be seen."
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
    </Section>
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
        <CopyButton text={value} size="small">
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
        What the last check found
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

/** Whether a domain was proved. */
export function VerifiedBadge({ verified }: { verified: boolean }) {
  return verified ? <Badge tone="success">Verified</Badge> : <Badge tone="warning">Not verified</Badge>;
}
