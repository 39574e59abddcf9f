"use client";

import { classNames } from "../ui/button-look.tsx";
import { Container, NeedsScript } from "../ui/elements.tsx";
import { useWords } from "../words/words.tsx";

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
  const { screen } = useWords();
  return (
    <Container className={beside ? "max-w-7xl" : undefined}>
      <div className="group/login" data-wide={beside ? true : undefined}>
        <div className="group-has-[[data-phase=signed-in]]/login:hidden">{notice}</div>
        <div
          className={classNames(
            "grid gap-x-14 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] md:grid-rows-[auto_1fr]",
            beside ? "xl:grid-cols-[18.5rem_25rem_minmax(0,1fr)] xl:gap-x-10" : undefined,
          )}
        >
          <div className="md:pt-6">
            <h1 className="font-semibold text-title">{title}</h1>
            <p className="mt-2 text-muted-foreground">{lead}</p>
          </div>
          <div className="mx-auto w-full max-w-100 md:row-span-2">
            <NeedsScript title={needs?.title ?? screen.needsScript} why={needs?.why ?? screen.whyScript}>
              {children}
            </NeedsScript>
          </div>
          <div className="grid content-start gap-8 md:pt-2">
            {steps}
            <p className="border-t pt-6 text-muted-foreground text-sm">{other}</p>
          </div>
          {beside && (
            <div className="md:col-span-2 md:mt-4 xl:col-span-1 xl:col-start-3 xl:row-span-2 xl:row-start-1 xl:mt-0">
              {beside}
            </div>
          )}
        </div>
      </div>
    </Container>
  );
}

/** What to do, in three steps; the second is the one that keeps people safe. */
export function LoginSteps({ domain, action }: { domain: string; action: "login" | "register" }) {
  const { screen } = useWords();
  const named = <strong className="wrap-anywhere font-semibold">{domain}</strong>;
  const steps = [screen.scan, screen.compare(named), screen.afterwards[action]];
  return <StepList isTold steps={steps} />;
}

/** Numbered steps next to the panel; `isTold` draws what happens between the panel and the phone. */
export function StepList({ steps, isTold = false }: { steps: React.ReactNode[]; isTold?: boolean }) {
  return (
    <ol className="grid gap-4">
      {isTold && (
        <li aria-hidden className="max-md:hidden">
          <LoginStory />
        </li>
      )}
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

const IDLE = "group-has-[[data-phase=received],[data-phase=signed-in]]/login:hidden";
const DONE = "hidden group-has-[[data-phase=received],[data-phase=signed-in]]/login:block";

/** The phone, the browser and what goes between them: the code to the phone, then the signature to the browser. */
function LoginStory() {
  const { screen } = useWords();
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 440 150"
      className="mb-2 w-full max-w-110 fill-none text-muted-foreground"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect x="21" y="5" width="74" height="140" rx="16" className="fill-card stroke-current" />
      <path d="M50 14h16" className="stroke-current" />
      <rect x="265" y="15" width="170" height="120" rx="10" className="fill-card stroke-current" />
      <path d="M265 37h170M277 26h.01M286 26h.01M295 26h.01" className="stroke-current" />
      <g className={IDLE}>
        {/* The fingerprint that the phone asks for, and the code. */}
        <path
          d="M44 82a14 14 0 0 1 28 0v4M50 90v-8a8 8 0 0 1 16 0v10M58 80v16M44 91v2M72 93v3M50 98v2M66 98v2"
          className="stroke-primary"
        />
        <path
          d="M325 60h14v14h-14zM361 60h14v14h-14zM325 96h14v14h-14zM348 61v10M348 80h8M362 84h13M348 96v13M358 98h8M374 96v4M360 110h15M332 85v.01"
          className="stroke-primary"
        />
        <path d="M250 75H110" strokeDasharray="2 7" className="stroke-current" />
        <path d="m118 68-8 7 8 7" className="stroke-current" />
        <text x="180" y="60" textAnchor="middle" className="fill-current text-sm">
          {screen.oneTimeCode}
        </text>
      </g>
      <g className={DONE}>
        <path d="m46 76 9 9 16-18M336 84l10 10 18-20" strokeWidth="3" className="stroke-success" />
        <path d="M110 75h140" className="stroke-success" />
        <path d="m242 68 8 7-8 7" className="stroke-success" />
        <text x="180" y="60" textAnchor="middle" className="fill-success text-sm">
          {screen.signature}
        </text>
        <circle cx="115" cy="75" r="6" className="animate-travel fill-success [--travel-x:130px]" />
      </g>
    </svg>
  );
}
