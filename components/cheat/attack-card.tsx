"use client";

import { type FormEvent, useState } from "react";
import { QrFrame } from "#packages/react/login/qr-code.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Badge, Card, Problem } from "#packages/react/ui/elements.tsx";
import { QrCode, ShieldCheck } from "#packages/react/ui/icons.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import { ATTACKS, type AttackId, OTHER_DOMAIN, type Outcome } from "./attacks.ts";

/** Reserves space for all steps and their outcomes. */
export function AttackCard({ id, number }: { id: AttackId; number: number }) {
  const { title, text, steps, refusedFrom, run } = ATTACKS[id];
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [qr, setQr] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const start = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const domain = String(new FormData(event.currentTarget).get("domain") ?? "");
    setOutcomes([]);
    setFailed(false);
    setRunning(true);
    try {
      await run({ domain, report: (outcome) => setOutcomes((all) => [...all, outcome]), show: setQr });
    } catch {
      setFailed(true);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Card
      aria-labelledby={`attack-${id}`}
      className="grid gap-x-10 gap-y-6 lg:grid-cols-[20rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={`attack-${id}`} className="font-semibold text-lg">
          {number}. {title}
        </h2>
        <p className="mt-1 text-muted-foreground">{text}</p>
        <form onSubmit={start} className="mt-4 grid gap-4">
          {id === "domain" && (
            <TextField
              label="The name to put in the code"
              name="domain"
              required
              defaultValue={OTHER_DOMAIN}
              pattern="[a-z0-9.\-]+"
              autoCapitalize="none"
            />
          )}
          {id === "steal" && (
            <div className="aspect-square w-44">
              {qr ? <QrFrame qr={qr} label="QR code for this attack" /> : <NoCode />}
            </div>
          )}
          <Button
            type="submit"
            variant={number === 1 ? "primary" : "secondary"}
            disabled={isRunning}
            className="justify-self-start"
          >
            {isRunning ? "Attacking…" : outcomes.length > 0 ? "Try again" : "Try it"}
          </Button>
        </form>
        <Problem>{hasFailed && "The site did not answer. Wait a moment, then try again."}</Problem>
      </div>
      <ol aria-live="polite" className="divide-y text-sm max-lg:border-t lg:-mt-3">
        {steps.map((step, index) => (
          <Step key={step} number={index + 1} outcome={outcomes[index]} isLong={index >= refusedFrom}>
            {step}
          </Step>
        ))}
      </ol>
    </Card>
  );
}

function NoCode() {
  return (
    <div className="flex size-full items-center justify-center rounded-base bg-muted text-muted-foreground">
      <QrCode aria-hidden strokeWidth={1} className="size-16" />
    </div>
  );
}

function Step({
  number,
  outcome,
  isLong,
  children,
}: {
  number: number;
  outcome: Outcome | undefined;
  /** True to reserve space for a refusal, which is long. */
  isLong: boolean;
  children: string;
}) {
  const refusedBy = outcome?.refusedBy;
  return (
    <li
      className={joinClassNames("flex gap-4 py-3", isLong ? "min-h-42 sm:min-h-24" : "min-h-22 sm:min-h-19")}
    >
      <span
        aria-hidden
        className={joinClassNames(
          "flex size-7 shrink-0 items-center justify-center rounded-full border font-semibold tabular-nums",
          refusedBy
            ? "border-success bg-success text-background"
            : outcome
              ? "border-foreground"
              : "text-muted-foreground",
        )}
      >
        {refusedBy ? <ShieldCheck className="size-4" /> : number}
      </span>
      <div className="min-w-0 grow pt-1">
        <p
          className={joinClassNames(
            "flex flex-wrap items-center gap-x-3 gap-y-1",
            !outcome && "text-muted-foreground",
          )}
        >
          {children}
          {refusedBy && <Badge tone="success">{`Refused by the ${refusedBy}`}</Badge>}
        </p>
        {outcome && <p className="wrap-anywhere mt-1 text-muted-foreground">{outcome.text}</p>}
      </div>
    </li>
  );
}
