import { StepList } from "#components/login/step-list.tsx";

/** What to do on the page of fast login; the second step is the one that keeps people safe. */
export function FastSteps({
  domain,
  autoRegister,
}: {
  domain: string;
  /** An address without an account gets one. */
  autoRegister: boolean;
}) {
  return (
    <StepList
      steps={[
        <>
          Scan the code with a wallet that signs messages with a Bitcoin address. On this device, copy the
          link into it.
        </>,
        <>
          Check that what you sign begins with{" "}
          <strong className="wrap-anywhere font-semibold">{domain}</strong>, then confirm. Signing a message
          moves no money.
        </>,
        autoRegister
          ? "This page goes on by itself. An address that has no account here yet gets one."
          : "This page goes on by itself, when the address belongs to an account here.",
      ]}
    />
  );
}
