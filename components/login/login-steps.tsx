import { StepList } from "./step-list.tsx";

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
