"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Removes the wallet from this browser, after a question. */
export function WipeWallet({ onWipe }: { onWipe: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [failed, setFailed] = useState(false);
  const wipe = async () => {
    setAsking(false);
    setFailed(
      await onWipe().then(
        () => false,
        () => true,
      ),
    );
  };
  return (
    <div className="grid justify-items-center gap-2">
      <Button variant="danger" size="small" onClick={() => setAsking(true)}>
        Wipe this wallet
      </Button>
      {asking && (
        <ConfirmDialog
          title="Wipe this wallet?"
          confirmLabel="Wipe it"
          onCancel={() => setAsking(false)}
          onConfirm={wipe}
        >
          Its keys, its list of sites and whom it trusts leave this browser. Only the words that you wrote
          down bring the keys back.
        </ConfirmDialog>
      )}
      <p role="status" className="text-danger text-sm empty:absolute">
        {failed && "This browser did not remove the wallet. Reload this page and try again."}
      </p>
    </div>
  );
}
