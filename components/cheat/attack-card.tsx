"use client";

import { type FormEvent, useState } from "react";
import { QrFrame } from "#packages/react/login/qr-code.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { classNames } from "#packages/react/ui/button-look.tsx";
import { Badge, Card, Problem } from "#packages/react/ui/elements.tsx";
import { ShieldCheck } from "#packages/react/ui/icons.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import { ATTACKS, type AttackId, OTHER_DOMAIN, type Outcome } from "./attacks.ts";

/** An attack that the visitor starts: its steps, and what came of each. The place of every outcome is kept. */
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
    <Card aria-labelledby={`attack-${id}`} className="flex flex-col">
      <h2 id={`attack-${id}`} className="font-semibold text-lg">
        {number}. {title}
      </h2>
      <p className="mt-1 text-muted-foreground text-sm">{text}</p>
      <form onSubmit={start} className="mt-4 grid gap-3">
        {id === "domain" && (
          <TextField
            label="The name that you put in"
            name="domain"
            required
            defaultValue={OTHER_DOMAIN}
            pattern="[a-z0-9.\-]+"
            autoCapitalize="none"
          />
        )}
        {id === "steal" && (
          <div className="mx-auto aspect-square w-48">
            {qr ? (
              <QrFrame qr={qr} label="QR code of this attack" />
            ) : (
              <div className="size-full rounded-base border border-dashed" />
            )}
          </div>
        )}
        <Button type="submit" variant={number === 1 ? "primary" : "secondary"} disabled={isRunning}>
          {isRunning ? "Attacking…" : outcomes.length > 0 ? "Try again" : "Try it"}
        </Button>
      </form>
      <ol aria-live="polite" className="mt-4 grid gap-2 text-sm">
        {steps.map((step, index) => (
          <Step key={step} number={index + 1} outcome={outcomes[index]} isLong={index >= refusedFrom}>
            {step}
          </Step>
        ))}
      </ol>
      <Problem>{hasFailed && "The site did not answer. Wait a moment, then try again."}</Problem>
    </Card>
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
  /** Keeps the place of a refusal. */
  isLong: boolean;
  children: string;
}) {
  const refusedBy = outcome?.refusedBy;
  return (
    <li
      className={classNames(
        "rounded-base border p-3",
        isLong ? "min-h-40" : "min-h-22",
        refusedBy
          ? "border-success/50 bg-success-surface"
          : !outcome && "border-dashed text-muted-foreground",
      )}
    >
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span>
          {number}. {children}
        </span>
        {refusedBy && (
          <Badge tone="success">
            <ShieldCheck aria-hidden className="size-4" />
            {`The ${refusedBy} refuses`}
          </Badge>
        )}
      </p>
      {outcome && <p className="wrap-anywhere mt-1 text-muted-foreground">{outcome.text}</p>}
    </li>
  );
}
