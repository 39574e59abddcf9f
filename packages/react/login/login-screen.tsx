"use client";

import { useTexts } from "../texts/texts.tsx";
import { classNames } from "../ui/button-look.tsx";
import { Container, NeedsScript } from "../ui/elements.tsx";

/**
 * A login page's frame: the explanation and the steps on one side, the panel on the other. On a phone the panel comes
 * first.
 */
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
  /** Disappears once someone has signed in here. */
  notice?: React.ReactNode;
  steps: React.ReactNode;
  /** The link to the sister page. */
  other: React.ReactNode;
  /** Shown next to the panel if there is room, otherwise below it. */
  beside?: React.ReactNode;
  /** The text that is shown without JavaScript; by default about the code. */
  needs?: { title: string; why: string };
  /** The panel. */
  children: React.ReactNode;
}) {
  const { screen } = useTexts();
  return (
    <Container className={classNames("svc-screen", Boolean(beside) && "svc-wide")}>
      <div className="svc-screen-notice">{notice}</div>
      <div className="svc-screen-grid">
        <div className="svc-screen-head">
          <h1 className="svc-title">{title}</h1>
          <p className="svc-muted-text">{lead}</p>
        </div>
        <div className="svc-screen-panel">
          <NeedsScript title={needs?.title ?? screen.needsScript} why={needs?.why ?? screen.whyScript}>
            {children}
          </NeedsScript>
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

/** Three steps to follow. The second is the one that protects people. */
export function LoginSteps({ domain, action }: { domain: string; action: "login" | "register" }) {
  const { screen } = useTexts();
  const shownDomain = <strong className="svc-strong">{domain}</strong>;
  const steps = [screen.scan, screen.compare(shownDomain), screen.afterwards[action]];
  return <StepList steps={steps} />;
}

/** Numbered steps next to the panel. */
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
