"use client";

import { type ComponentProps, type ComponentType, useState } from "react";
import { ButtonLink, joinClassNames } from "#packages/react/ui/button-look.tsx";
import type { LiveStage } from "./live-stage.tsx";
import { TryOut, useTrial } from "./try-out.tsx";

const STEPS = [
  ["The site shows a code", "The code works once, only in this browser, and for 30 seconds."],
  ["Your wallet asks you to approve", "The wallet shows the site’s name, and signs only if you approve."],
  ["You’re signed in", "The site checks the signature. There is nothing to type."],
] as const;

const STEPS_UNDONE = [
  ...STEPS.slice(0, -1),
  ["You undid the sign-in", "That browser is signed out again."],
] as const;

/** Until the visitor starts the login, its code is not loaded and no requests are sent. */
export function LiveLogin({
  domain,
  address,
  userId,
  isReachable,
  picture,
  children,
}: {
  domain: string;
  /** The URL shown in the browser's address bar. */
  address: string;
  userId: number | null;
  /** True if a phone can open this site and use the wallet in its browser. */
  isReachable: boolean;
  /** Shown until the visitor starts the login. */
  picture: React.ReactNode;
  children: React.ReactNode;
}) {
  const { trial, declined, start, decline } = useTrial();
  const [Stage, setStage] = useState<ComponentType<ComponentProps<typeof LiveStage>> | null>(null);
  const [step, setStep] = useState(0);
  const [isUndone, setUndone] = useState(false);
  const begin = async () => {
    const { LiveStage } = await import("./live-stage.tsx");
    setStage(() => LiveStage);
    setStep(1);
    setUndone(false);
    await start();
  };
  const end = () => {
    setStep(0);
    decline();
  };
  const undo = () => {
    setStep(STEPS.length - 1);
    setUndone(true);
  };
  const isLive = Stage !== null && trial !== null;
  return (
    <div className="grid items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]">
      <div className="lg:pt-10">
        {children}
        <div className="mt-8 flex min-h-11 flex-wrap items-center gap-3">
          {isLive ? (
            <>
              <p className="font-semibold text-primary">
                {isUndone
                  ? "Undone. That browser is signed out."
                  : step === STEPS.length
                    ? "That’s it. You’re signed in."
                    : "Your turn: approve on the phone."}
              </p>
              {step === STEPS.length && <ButtonLink href="/docs">Add it to your site</ButtonLink>}
            </>
          ) : userId === null ? (
            <>
              <TryOut focus={declined} onTry={begin}>
                Try it now
              </TryOut>
              <ButtonLink href="/docs">Add it to your site</ButtonLink>
            </>
          ) : (
            <ButtonLink variant="primary" href="/dashboard">
              Open your dashboard
            </ButtonLink>
          )}
        </div>
        {isLive && isReachable && step < STEPS.length && (
          <p className="mt-2 text-muted-foreground text-sm">
            Or scan the code with your real phone’s camera. It opens a wallet in the phone’s browser.
          </p>
        )}
        <ol className="mt-10 grid gap-5">
          {(isLive && isUndone ? STEPS_UNDONE : STEPS).map(([title, text], index) => (
            <li
              key={title}
              aria-current={isLive && index === step ? "step" : undefined}
              className="group flex gap-4"
            >
              <span
                aria-hidden
                className={joinClassNames(
                  "flex size-7 shrink-0 items-center justify-center rounded-full border font-semibold text-sm tabular-nums motion-safe:transition-colors",
                  isLive && index < step ? "border-success bg-success text-background" : "bg-card",
                  "group-aria-[current]:border-primary group-aria-[current]:bg-primary group-aria-[current]:text-primary-foreground",
                )}
              >
                {isLive && index < step ? "✓" : isLive && isUndone ? "↩" : index + 1}
              </span>
              <span>
                <strong className="block font-semibold">{title}</strong>
                <span className="text-muted-foreground text-sm">{text}</span>
              </span>
            </li>
          ))}
        </ol>
      </div>
      {isLive ? (
        <Stage
          {...{ domain, address, userId, trial }}
          isUndone={isUndone}
          onStep={setStep}
          onDecline={end}
          onUndone={undo}
        />
      ) : (
        picture
      )}
    </div>
  );
}
