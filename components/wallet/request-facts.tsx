import type { ChallengePayload } from "#lib/wallet/read-payload.ts";
import { Moment } from "./moment.tsx";
import type { Site } from "./vault.ts";

/** What a person needs to know before approving, beside the domain itself. */
export function RequestFacts({ payload, sites }: { payload: ChallengePayload; sites: readonly Site[] }) {
  const { challenge, webhook } = payload;
  const { host, hostname } = new URL(webhook);
  const known = sites.find((site) => site.domain === challenge.domain);
  return (
    <dl className="mt-4 divide-y border-y text-sm">
      <Fact name="Action">{challenge.action === "login" ? "Sign in (login)" : "New account (register)"}</Fact>
      <Fact name="Answer goes to">
        <span className="wrap-anywhere font-mono">{host}</span>
        {hostname !== challenge.domain && (
          <span className="block text-warning">a hosted API that you trust, not the site itself</span>
        )}
      </Fact>
      <Fact name="Been there">
        {known ? (
          <>
            Yes, last <Moment at={known.lastUsedAt} />
          </>
        ) : (
          <span className={challenge.action === "login" ? "text-warning" : undefined}>
            Never with this wallet. Read the name twice.
          </span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3 py-2">
      <dt className="text-muted-foreground">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
