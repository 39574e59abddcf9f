"use client";

import { elapsedMs } from "@svc/login/client";
import { useEffect, useState, useTransition } from "react";
import { Fact, Facts } from "#components/ui/details.tsx";
import type { CaseReport, CaseState, CaseText, RunView } from "#lib/conformance-runs/messages.ts";
import { CodeActions, QrFrame } from "#packages/react/login/qr-code.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Badge, Card, TextLink } from "#packages/react/ui/elements.tsx";
import { Countdown } from "#packages/react/ui/time.tsx";
import type { DisplayedCode, Run } from "./use-run.ts";

export function CaseCard({
  text,
  state: { state, message, arrived },
  number,
  count,
  run,
  site,
  next,
  titleRef,
}: {
  text: CaseText;
  state: RunView["cases"][number];
  number: number;
  count: number;
  run: Run;
  site: { demoWallet: boolean };
  next: () => void;
  titleRef: React.Ref<HTMLHeadingElement>;
}) {
  const code = run.code?.caseId === text.id ? run.code : null;
  const isDead = useIsOver(code);
  const isScanned = code !== null && state === "waiting" && !arrived && !isDead;
  const actions = (
    <div className="grid gap-3 sm:flex sm:flex-wrap print:hidden">
      <CaseActions {...{ text, state, arrived, run, next }} isShown={code !== null} />
    </div>
  );
  return (
    <Card aria-label={text.title} data-state={state} className="grid gap-5">
      <header>
        <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-sm">
          <span>{`Case ${number} of ${count}`}</span> <Badge>{text.level}</Badge>
          <TextLink
            href={`/docs/guides/conformance-wallet#${text.check.replaceAll(".", "")}`}
            target="_blank"
          >
            {text.check}
          </TextLink>
        </p>
        <h2 ref={titleRef} tabIndex={-1} className="mt-1 font-semibold text-title outline-none">
          {text.title}
        </h2>
      </header>
      <Facts>
        <Fact name="The fault">{text.wrong}</Fact>
        <Fact name="A good wallet">{text.good}</Fact>
        {code && <Fact name="The code is for">{code.domain || "no domain"}</Fact>}
        {code && <Fact name="Answers go to">{hostOf(code.webhook)}</Fact>}
      </Facts>
      {code && isScanned && (
        <div className="mx-auto w-full max-w-80">
          <QrFrame qr={code.payload} label={`QR code: ${text.title}`} />
        </div>
      )}
      <div className="flex min-h-6 flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p role="status" className={joinClassNames("font-semibold", toneOf(state))}>
          {statusLine(text, state, { message, hasArrived: arrived, isShown: code !== null, isDead })}
        </p>
        {code && !isDead && (state === "waiting" || state === "asked") && (
          <Countdown left={() => secondsLeft(code)} before="The code expires in" />
        )}
      </div>
      {code && isScanned ? (
        <CodeActions qr={code.payload} demoWallet={site.demoWallet}>
          {actions}
        </CodeActions>
      ) : (
        actions
      )}
    </Card>
  );
}

function hostOf(webhook: string): string {
  return /^https?:\/\/[^/]*/.exec(webhook)?.[0] ?? webhook;
}

function secondsLeft({ lives_seconds, since }: DisplayedCode): number {
  return lives_seconds - elapsedMs(since) / 1000;
}

const LOOK_MS = 500;

function useIsOver(code: DisplayedCode | null): boolean {
  const [over, setOver] = useState<DisplayedCode | null>(null);
  useEffect(() => {
    if (!code) return;
    // Checks repeatedly, because timers run late on a device that was asleep.
    const timer = setInterval(() => secondsLeft(code) <= 0 && setOver(code), LOOK_MS);
    return () => clearInterval(timer);
  }, [code]);
  return code !== null && over === code;
}

function toneOf(state: CaseState): string | null {
  if (state === "passed") return "text-success";
  return state === "failed" ? "text-danger" : null;
}

function statusLine(
  { answers, asks }: CaseText,
  state: CaseState,
  {
    message,
    hasArrived,
    isShown,
    isDead,
  }: { message: string; hasArrived: boolean; isShown: boolean; isDead: boolean },
): string {
  switch (state) {
    case "passed":
      return "Passed.";
    case "failed":
      return `Failed. ${message}`;
    case "skipped":
      return "Skipped.";
    case "impossible":
      return "This site cannot show such a code.";
    case "asked":
      return asks ? `An answer has arrived. ${asks.question}` : "An answer has arrived.";
  }
  if (!isShown) return "Read this first, then show the code and scan it.";
  if (hasArrived) return "An answer arrived. We are waiting to see whether another one follows.";
  if (isDead)
    return answers
      ? "The code expired without an answer. Show a new code and try again."
      : "The code expired, and your wallet did not answer. Say whether your wallet refused the code.";
  return answers ? "Waiting for your wallet’s answer." : "Scan the code. Your wallet should not answer.";
}

function CaseActions({
  text: { id, answers, asks },
  state,
  arrived,
  isShown,
  run,
  next,
}: {
  text: CaseText;
  state: CaseState;
  arrived: boolean;
  isShown: boolean;
  run: Run;
  next: () => void;
}) {
  const [pending, start] = useTransition();
  const show = () => start(() => run.show(id));
  const say = (word: CaseReport["word"], continues: boolean) =>
    start(async () => {
      if ((await run.say({ case: id, word })) && continues) next();
    });
  const skip = (
    <Button variant="quiet" disabled={pending} onClick={() => say("skip", true)}>
      Skip this case
    </Button>
  );
  if (state === "passed" || state === "failed" || state === "skipped") {
    return (
      <>
        <Button variant="primary" onClick={next}>
          Next case
        </Button>
        {/* Once a wallet has answered a QR code that it must not answer, the case has failed permanently. */}
        {(answers || state !== "failed") && (
          <Button disabled={pending} onClick={show}>
            Try it again
          </Button>
        )}
      </>
    );
  }
  if (state === "asked" && asks) {
    return (
      <>
        <Button disabled={pending} onClick={() => say("good", false)}>
          {asks.good}
        </Button>
        <Button disabled={pending} onClick={() => say("bad", false)}>
          {asks.bad}
        </Button>
        {skip}
      </>
    );
  }
  if (!isShown) {
    return (
      <>
        <Button variant="primary" disabled={pending} onClick={show}>
          Show the code
        </Button>
        {skip}
      </>
    );
  }
  return (
    <>
      {answers ? (
        !arrived && (
          <Button disabled={pending} onClick={() => say("bad", false)}>
            My wallet does nothing
          </Button>
        )
      ) : (
        <Button variant="primary" disabled={pending} onClick={() => say("good", true)}>
          My wallet refused it
        </Button>
      )}
      <Button disabled={pending} onClick={show}>
        Show a new code
      </Button>
      {skip}
    </>
  );
}
