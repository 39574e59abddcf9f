"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Removes the wallet from this browser, after a question. */
export function WipeWallet({ onWipe }: { onWipe: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex justify-center">
      <Button variant="danger" size="small" onClick={() => setAsking(true)}>
        Wipe this wallet
      </Button>
      {asking && (
        <ConfirmDialog
          title="Wipe this wallet?"
          confirmLabel="Wipe it"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            onWipe();
          }}
        >
          Its keys, its list of sites and whom it trusts leave this browser. Only the words that you wrote
          down bring the keys back.
        </ConfirmDialog>
      )}
    </div>
  );
}
