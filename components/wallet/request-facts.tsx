import type { Payload } from "#lib/wallet/read-payload.ts";
import { Moment } from "./moment.tsx";
import { domainOf, webhookOf } from "./request.ts";
import type { Site } from "./vault.ts";

/** What a person needs to know before approving, beside the domain itself. */
export function RequestFacts({ payload, sites }: { payload: Payload; sites: readonly Site[] }) {
  const domain = domainOf(payload);
  const { host, hostname } = webhookOf(payload);
  const known = sites.find((site) => site.domain === domain);
  const registers = payload.kind === "challenge" && payload.challenge.action === "register";
  return (
    <dl className="mt-4 divide-y border-y text-sm">
      <Fact name="Action">
        {payload.kind === "fast"
          ? "Sign in with an address"
          : registers
            ? "New account (register)"
            : "Sign in (login)"}
      </Fact>
      <Fact name="Answer goes to">
        <span className="wrap-anywhere font-mono">{host}</span>
        {hostname !== domain && (
          <span className="block text-warning">a hosted API that you trust, not the site itself</span>
        )}
      </Fact>
      <Fact name="Been there">
        {known ? (
          <>
            Yes, last <Moment at={known.lastUsedAt} />
          </>
        ) : (
          <span className={registers ? undefined : "text-warning"}>
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
