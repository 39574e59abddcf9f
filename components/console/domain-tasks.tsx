import { delegationUrl, formatDelegation } from "@svc/wallet/delegation-file";
import { CodeBlock } from "#components/ui/code.tsx";
import { Disclosure } from "#components/ui/details.tsx";
import type { DomainDetail, ProofFinding } from "#lib/hosted/contract/domain.ts";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { Badge, type BadgeTone, Notice, Section } from "#packages/react/ui/elements.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";
import { isTestInboxUrl } from "./console-page.tsx";
import { OperationForm } from "./operation-form.tsx";

type TaskState = { tone: BadgeTone; label: string };

function Task({
  state,
  text,
  children,
  ...section
}: Omit<React.ComponentProps<typeof Section>, "actions"> & { state: TaskState }) {
  return (
    <Section actions={<Badge tone={state.tone}>{state.label}</Badge>} {...section}>
      <p className="-mt-3 mb-4 text-muted-foreground text-sm last:mb-0">{text}</p>
      {children}
    </Section>
  );
}

type DomainCheck = {
  at: string;
  findings: ProofFinding[];
};

export function DomainProof({
  domain: { id, domain, verified_at, verification_token: token },
  check,
}: {
  domain: DomainDetail;
  check: DomainCheck | null;
}) {
  const task = { id: "proof", title: "1. Prove that the domain is yours" };
  if (verified_at) {
    return (
      <Task
        {...task}
        state={{ tone: "success", label: "Proved" }}
        text={
          <>
            Proved <TimeAgo iso={verified_at} />.
          </>
        }
      />
    );
  }
  return (
    <Task
      {...task}
      state={check ? { tone: "danger", label: "Token not found" } : { tone: "warning", label: "To do" }}
      text="Put the token in one of these two places, then choose “Verify now”. DNS changes can take a few minutes to take effect."
    >
      <div className="grid gap-4">
        <Place title="A TXT record" lines={{ Name: `_svc-challenge.${domain}`, Value: token }} />
        <Place
          title="Or a file"
          lines={{ Address: `https://${domain}/.well-known/svc-challenge.txt`, Text: token }}
        />
      </div>
      <p className="mt-3 mb-4 text-muted-foreground text-sm">
        A TXT record on {domain} also works. Leave the token in place until the domain is verified.
      </p>
      <OperationForm route="POST /domains/:id/verify" of={id} variant="primary" />
      {check && <Findings {...check} />}
    </Task>
  );
}

function Place({ title, lines }: { title: string; lines: Record<string, string> }) {
  return (
    <section className="rounded-base border p-4">
      <h3 className="mb-2 font-semibold text-sm">{title}</h3>
      <dl className="grid gap-3">
        {Object.entries(lines).map(([name, value]) => (
          <div key={name} className="items-center gap-x-4 sm:grid sm:grid-cols-[4rem_minmax(0,1fr)]">
            <dt className="text-muted-foreground text-sm">{name}</dt>
            <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
              <span className="wrap-anywhere text-balance font-mono text-sm">{value}</span>
              <CopyButton text={value} iconOnly>
                Copy
              </CopyButton>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Findings({ at, findings }: DomainCheck) {
  return (
    <section aria-labelledby="findings" className="mt-4 border-t pt-4">
      <h3 id="findings" className="font-semibold text-sm">
        Result of the last check
      </h3>
      <p className="text-muted-foreground text-sm">
        <TimeAgo iso={at} />
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

type DomainDelegationProps = {
  domain: DomainDetail;
  /** The host to which wallets send their responses. */
  apiHost: string;
};

const DELEGATION_STATES: Record<DomainDetail["delegation"]["status"], TaskState> = {
  ok: { tone: "success", label: "Wallets answer" },
  missing: { tone: "danger", label: "Wallets refuse" },
  invalid: { tone: "danger", label: "Wallets refuse" },
  unchecked: { tone: "neutral", label: "Not checked" },
};

export function DomainDelegation(props: DomainDelegationProps) {
  const { apiHost } = props;
  const { id, domain, verified, delegation } = props.domain;
  const file = (
    <div className="grid gap-2">
      <CodeBlock label={delegationUrl(domain)} code={formatDelegation(domain, [apiHost])} />
      <p className="text-muted-foreground text-sm">
        Serve it with <span className="font-mono">Content-Type: application/json</span> and{" "}
        <span className="font-mono">Access-Control-Allow-Origin: *</span>, without a redirect.
      </p>
    </div>
  );
  return (
    <Task
      id="delegation"
      title="2. Allow wallets to answer"
      state={DELEGATION_STATES[delegation.status]}
      text={
        <>
          A wallet sends its answer to the site itself, or to a host that the site names. Your users’ wallets
          send their answers to <span className="wrap-anywhere">{apiHost}</span>.
        </>
      }
    >
      {domain === apiHost ? (
        <p className="text-sm">That is this domain, so there is nothing to publish.</p>
      ) : (
        <div className="grid gap-4">
          <DelegationResult {...props} />
          {delegation.status === "ok" ? (
            <Disclosure summary="The file" className="">
              {file}
            </Disclosure>
          ) : (
            file
          )}
          {verified ? (
            <OperationForm route="POST /domains/:id/verify" of={id} label="Check again" />
          ) : (
            <p className="text-muted-foreground text-sm">“Verify now” also looks for this file.</p>
          )}
          {delegation.checked_at && (
            <p className="text-muted-foreground text-sm">
              Last checked <TimeAgo iso={delegation.checked_at} />
              {verified && "; we check once a day"}.
            </p>
          )}
        </div>
      )}
    </Task>
  );
}

function DelegationResult({ domain: { domain, delegation }, apiHost }: DomainDelegationProps) {
  const { status, reason } = delegation;
  switch (status) {
    case "ok":
      return (
        <p className="wrap-anywhere text-sm">
          {domain} names {apiHost}. Wallets send their answers here, and show their users both names.
        </p>
      );
    case "unchecked":
      return (
        <Notice>
          {reason === null
            ? "We have not checked yet."
            : `We couldn’t check: ${reason}. Wallets check from their own networks, so they may get a different result.`}{" "}
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

/** According to the domain's newest event. */
export function describeReceivingState(
  { disabled_at }: DomainDetail,
  newest: Pick<DeliveryItem, "status" | "attempts"> | undefined,
): TaskState {
  if (disabled_at) return { tone: "danger", label: "Stopped" };
  if (!newest) return { tone: "neutral", label: "No event yet" };
  if (newest.status === "delivered") return { tone: "success", label: "Events arrive" };
  const isNew = newest.status === "pending" && newest.attempts.length === 0;
  return isNew ? { tone: "warning", label: "On its way" } : { tone: "danger", label: "Not accepted" };
}

export function DomainWebhook({
  domain: { id, verified, disabled_at, webhook_url },
  fields,
  state,
  children,
}: {
  domain: DomainDetail;
  /** The fields for changing the URL. */
  fields: React.ComponentProps<typeof OperationForm>["fields"];
  state: TaskState;
  children: React.ReactNode;
}) {
  return (
    <Task
      id="webhook"
      title="3. Receive events"
      state={state}
      text={
        isTestInboxUrl(webhook_url)
          ? "We sign the login events for this domain and keep them in your test inbox, because this domain has no webhook URL yet. When your server can receive events, enter its URL here."
          : "We POST signed login events for this domain to this URL, and retry for up to three days until your server returns a 2xx status."
      }
    >
      {disabled_at && (
        <Notice tone="warning" className="mb-4">
          This endpoint responded with 410, so we stopped sending events to it. Save the URL again to
          continue.
        </Notice>
      )}
      <div className="grid gap-6">
        <OperationForm
          route="PATCH /domains/:id"
          of={id}
          fields={fields}
          variant={disabled_at ? "primary" : "secondary"}
        />
        <Setting
          title="Test event"
          text={
            verified
              ? "A test event is signed and retried like a real one. Its kind is “test”."
              : "A test event is signed like a real one. Its kind is “test”. Until the domain is verified, we do not retry test events, and we send at most ten an hour."
          }
        >
          <OperationForm
            route="POST /domains/:id/test-event"
            of={id}
            disabled={disabled_at !== null}
            size="small"
          />
        </Setting>
        <Setting
          title="Secret"
          text="The secret proves to your server that an event comes from us. We show the secret only once, when you create it."
        >
          <OperationForm route="POST /domains/:id/rotate-secret" of={id} />
        </Setting>
        {children}
      </div>
    </Task>
  );
}

function Setting({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
      <div className="min-w-0">
        <h3 className="font-semibold text-sm">{title}</h3>
        <p className="text-muted-foreground text-sm">{text}</p>
      </div>
      {children}
    </div>
  );
}
