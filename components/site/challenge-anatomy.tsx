/** The parts of a challenge (docs/protocol.md#11-challenge), as text. */
export type ChallengeParts = { action: string; domain: string; issuedAt: string; nonce: string };

const NONCE_SHOWN = 4;

/** The challenge string, taken apart: the whole of what a wallet signs. */
export function ChallengeAnatomy({
  challenge: { action, domain, issuedAt, nonce },
  title = "All that your wallet signs",
  className = "rounded-base border bg-card p-4 sm:p-6",
}: {
  challenge: ChallengeParts;
  title?: string;
  className?: string;
}) {
  const shortNonce = `${nonce.slice(0, NONCE_SHOWN)}…${nonce.slice(-NONCE_SHOWN)}`;
  const parts = [
    { part: action, what: "What you are about to do: sign in, or register" },
    { part: domain, what: "Who asks. A key for another domain signs nothing here" },
    { part: issuedAt, what: "When it was made. Thirty seconds later it is worthless" },
    { part: shortNonce, what: "32 random characters, so that it can be used only once" },
  ];
  return (
    <figure className={className}>
      <figcaption className="mb-4 font-semibold">{title}</figcaption>
      <p className="wrap-anywhere rounded-base bg-muted p-3 font-mono text-sm">
        <span className="text-muted-foreground">svc</span>
        {parts.map(({ part }) => (
          <span key={part}>
            <span className="text-muted-foreground">:</span>
            {part}
          </span>
        ))}
      </p>
      <dl className="mt-2 divide-y">
        {parts.map(({ part, what }) => (
          <div key={part} className="grid gap-x-4 py-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
            <dt className="wrap-anywhere font-mono text-primary text-sm">{part}</dt>
            <dd className="text-muted-foreground text-sm">{what}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
