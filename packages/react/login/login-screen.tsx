"use client";

import { useTexts } from "../texts/texts.tsx";
import { joinClassNames } from "../ui/button-look.tsx";
import { Container, RequiresJavaScript } from "../ui/elements.tsx";

/** On a phone, the panel comes before the steps. */
export function LoginScreen({
  title,
  lead,
  notice,
  steps,
  other,
  beside,
  needs,
  children,
}: {
  title: string;
  lead: string;
  notice?: React.ReactNode;
  steps: React.ReactNode;
  other: React.ReactNode;
  /** Shown next to the panel if there is room, otherwise below it. */
  beside?: React.ReactNode;
  /** The default says that the code needs JavaScript. */
  needs?: { title: string; why: string };
  children: React.ReactNode;
}) {
  const { screen } = useTexts();
  return (
    <Container className={joinClassNames("svc-screen", Boolean(beside) && "svc-wide")}>
      <div className="svc-screen-notice">{notice}</div>
      <div className="svc-screen-grid">
        <div className="svc-screen-head">
          <h1 className="svc-title">{title}</h1>
          <p className="svc-muted-text">{lead}</p>
        </div>
        <div className="svc-screen-panel">
          <RequiresJavaScript title={needs?.title ?? screen.needsScript} why={needs?.why ?? screen.whyScript}>
            {children}
          </RequiresJavaScript>
        </div>
        <div className="svc-screen-steps">
          {steps}
          <p className="svc-note svc-above-line">{other}</p>
        </div>
        {beside && <div className="svc-screen-beside">{beside}</div>}
      </div>
    </Container>
  );
}

/** The second step, comparing the domain, protects users from fake sites. */
export function LoginSteps({ domain, action }: { domain: string; action: "login" | "register" }) {
  const { screen } = useTexts();
  const shownDomain = <strong className="svc-strong">{domain}</strong>;
  const steps = [screen.scan, screen.compare(shownDomain), screen.afterwards[action]];
  return <StepList steps={steps} />;
}

export function StepList({ steps }: { steps: React.ReactNode[] }) {
  return (
    <ol className="svc-steps">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change their order
        <li key={index} className="svc-step">
          <span aria-hidden="true" className="svc-step-number">
            {index + 1}
          </span>
          <span className="svc-step-text">{step}</span>
        </li>
      ))}
    </ol>
  );
}
