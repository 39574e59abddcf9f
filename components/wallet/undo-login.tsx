"use client";

import type { WalletRequest } from "@svc/wallet/request";
import { UNDO_SECONDS, type UndoResult, undoLogin } from "@svc/wallet/undo-login";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";

/** An answer that was accepted, while it can be taken back. */
export type Undoable = {
  domain: string;
  browser: string;
  url: string;
  /** Nobody is signed in by it: it asks to link a key. */
  links: boolean;
  /** Milliseconds since the epoch. */
  until: number;
  undone?: true;
};

/** What can be taken back of a request that has just been answered; null where there is nothing. */
export function undoableOf(request: WalletRequest): Undoable | null {
  if (request.phase !== "answered") return null;
  const { payload, result } = request;
  if (!result.signedIn?.undo) return null;
  return {
    domain: payload.domain,
    browser: result.signedIn.name,
    url: result.signedIn.undo,
    links: payload.purpose === "add",
    until: Date.now() + UNDO_SECONDS * 1000,
  };
}

/** The one button that ends what was approved, for ten minutes. */
export function UndoLogin({ login, onUndone }: { login: Undoable; onUndone: () => void }) {
  const [step, setStep] = useState<"idle" | "pending" | UndoResult>("idle");
  const press = async () => {
    if (step === "pending") return;
    setStep("pending");
    const result = await undoLogin(login.url);
    setStep(result);
    if (result.ok) onUndone();
  };
  const pending = step === "pending";
  return (
    <div className="mt-4 grid gap-2 text-center">
      {!login.undone && (
        <>
          <p className="text-muted-foreground text-sm">
            If that is not the browser in front of you, press this. It works for ten minutes.
          </p>
          <Button variant="danger" aria-disabled={pending} onClick={press}>
            {pending ? "One moment…" : login.links ? "Take it back" : "Sign that browser out"}
          </Button>
        </>
      )}
      <p role="status" className="text-sm empty:absolute">
        {login.undone
          ? login.links
            ? "It is taken back, unless it was confirmed before."
            : "It is signed out."
          : typeof step === "object" && step.advice}
      </p>
    </div>
  );
}
