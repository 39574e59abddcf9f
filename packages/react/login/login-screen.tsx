"use client";

import { useTexts } from "../texts/texts.tsx";
import { classNames } from "../ui/button-look.tsx";
import { Container, NeedsScript } from "../ui/elements.tsx";

/** A login page's frame: what this is and the steps on one side, the panel on the other; the panel first on a phone. */
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
  /** Disappears once somebody has signed in here. */
  notice?: React.ReactNode;
  steps: React.ReactNode;
  /** The link to the sister page. */
  other: React.ReactNode;
  /** Shown next to the panel if there is room, otherwise below it. */
  beside?: React.ReactNode;
  /** The text without JavaScript; by default about the code. */
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

/** What to do, in three steps; the second is the one that keeps people safe. */
export function LoginSteps({ domain, action }: { domain: string; action: "login" | "register" }) {
  const { screen } = useTexts();
  const named = <strong className="svc-strong">{domain}</strong>;
  const steps = [screen.scan, screen.compare(named), screen.afterwards[action]];
  return <StepList isTold steps={steps} />;
}

/** Numbered steps next to the panel; `isTold` draws what happens between the panel and the phone. */
export function StepList({ steps, isTold = false }: { steps: React.ReactNode[]; isTold?: boolean }) {
  return (
    <ol className="svc-steps">
      {isTold && (
        <li aria-hidden className="svc-story">
          <LoginStory />
        </li>
      )}
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

/** The phone, the browser and what goes between them: the code to the phone, then the signature to the browser. */
function LoginStory() {
  const { screen } = useTexts();
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 440 150"
      className="svc-drawing"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect x="21" y="5" width="74" height="140" rx="16" className="svc-drawing-card" />
      <path d="M50 14h16" />
      <rect x="265" y="15" width="170" height="120" rx="10" className="svc-drawing-card" />
      <path d="M265 37h170M277 26h.01M286 26h.01M295 26h.01" />
      <g className="svc-story-idle">
        {/* The fingerprint that the phone asks for, and the code. */}
        <path
          d="M44 82a14 14 0 0 1 28 0v4M50 90v-8a8 8 0 0 1 16 0v10M58 80v16M44 91v2M72 93v3M50 98v2M66 98v2M325 60h14v14h-14zM361 60h14v14h-14zM325 96h14v14h-14zM348 61v10M348 80h8M362 84h13M348 96v13M358 98h8M374 96v4M360 110h15M332 85v.01"
          className="svc-tone-primary"
        />
        <path d="M250 75H110" strokeDasharray="2 7" />
        <path d="m118 68-8 7 8 7" />
        <text x="180" y="60" textAnchor="middle">
          {screen.oneTimeCode}
        </text>
      </g>
      <g className="svc-story-done svc-tone-success">
        <path d="m46 76 9 9 16-18M336 84l10 10 18-20" strokeWidth="3" />
        <path d="M110 75h140" />
        <path d="m242 68 8 7-8 7" />
        <text x="180" y="60" textAnchor="middle">
          {screen.signature}
        </text>
        <circle cx="115" cy="75" r="6" className="svc-travelling" />
      </g>
    </svg>
  );
}
