import { Container } from "#components/site/container.tsx";

/** A login page's frame: what this is and the steps on one side, the panel on the other; the panel first on a phone. */
export function LoginScreen({
  title,
  lead,
  notice,
  steps,
  other,
  children,
}: {
  title: string;
  lead: string;
  notice?: React.ReactNode;
  steps: React.ReactNode;
  /** The way to the sister page. */
  other: React.ReactNode;
  /** The panel. */
  children: React.ReactNode;
}) {
  return (
    <Container className="max-w-5xl">
      {notice}
      <div className="grid gap-x-14 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] md:grid-rows-[auto_1fr]">
        <div className="md:pt-6">
          <h1 className="font-semibold text-title">{title}</h1>
          <p className="mt-2 text-muted-foreground">{lead}</p>
        </div>
        <div className="mx-auto w-full max-w-100 md:row-span-2">
          {children}
          <noscript>
            <p className="mt-4 text-center text-sm">
              This page needs JavaScript to show a code and to notice your wallet.
            </p>
          </noscript>
        </div>
        <div className="grid content-start gap-8 md:pt-2">
          {steps}
          <p className="border-t pt-6 text-muted-foreground text-sm">{other}</p>
        </div>
      </div>
    </Container>
  );
}

/** What to do, in three steps; the second is the one that keeps people safe. */
export function LoginSteps({ domain, action }: { domain: string; action: "login" | "register" }) {
  const steps = [
    <>Open your wallet and scan the code. On this device, choose “Open in wallet”.</>,
    <>
      Check that your wallet names <strong className="wrap-anywhere font-semibold">{domain}</strong>, then
      confirm. If it names anything else, decline.
    </>,
    action === "login"
      ? "This page goes on by itself as soon as your wallet has answered."
      : "Your account is made with the key that your wallet keeps for this site, and you are signed in.",
  ];
  return <StepList steps={steps} />;
}

/** Numbered steps beside the panel. */
export function StepList({ steps }: { steps: React.ReactNode[] }) {
  return (
    <ol className="grid gap-4">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change their order
        <li key={index} className="flex gap-3">
          <span
            aria-hidden="true"
            className="flex size-7 shrink-0 items-center justify-center rounded-base border bg-card font-semibold text-sm tabular-nums"
          >
            {index + 1}
          </span>
          <span className="pt-0.5">{step}</span>
        </li>
      ))}
    </ol>
  );
}
