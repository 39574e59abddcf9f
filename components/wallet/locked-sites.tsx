"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmForm } from "./confirm-form.tsx";
import { type Confirmation, type LockKind, lockProblem } from "./lock.ts";
import { openWallet } from "./vault.ts";

/** The list of sites while it is locked: who holds the device does not see where its owner goes. */
export function LockedSites({ lock, onUnlocked }: { lock: LockKind; onUnlocked: () => void }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const unlock = async (confirmation: Confirmation) => {
    setBusy(true);
    setProblem(null);
    try {
      const wallet = await openWallet(confirmation);
      // Opened to see that its owner is here; what was opened is not needed.
      wallet?.seed.fill(0);
      onUnlocked();
    } catch (error) {
      setProblem(lockProblem(error) ?? "The browser did not let the wallet open. Reload this page.");
      setBusy(false);
    }
  };

  return (
    <Card aria-labelledby="sites-title">
      <CardHeader id="sites-title" title="Sites">
        Locked. Unlock to see where this wallet has been and whom it trusts.
      </CardHeader>
      {problem && (
        <p role="alert" className="mb-3 text-danger text-sm">
          {problem}
        </p>
      )}
      {lock === "passphrase" && !asking ? (
        <Button onClick={() => setAsking(true)} className="w-full">
          Unlock
        </Button>
      ) : (
        <ConfirmForm
          lock={lock}
          label={busy ? "Unlocking…" : "Unlock"}
          onConfirm={unlock}
          disabled={busy}
          quiet
        />
      )}
    </Card>
  );
}
