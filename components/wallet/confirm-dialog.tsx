"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Modal } from "#components/ui/modal.tsx";
import type { TrustQuestion } from "./request.ts";

/** Asks before something that cannot be taken back. Escape and the first button leave everything as it is. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = "Keep it",
  onConfirm,
  onCancel,
}: {
  title: string;
  children: React.ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  return (
    <Modal title={title} text={children} onCancel={onCancel} className="max-w-md bg-card">
      <div className="mt-6 grid gap-3 min-[25rem]:grid-cols-2">
        <Button onClick={onCancel}>{cancelLabel}</Button>
        <Button variant="danger" onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}

/**
 * The way past a refusal, for people who know that a hosted API handles the site's logins. It is asked for one domain
 * and one host, and never by the code itself.
 */
export function TrustHost({
  question,
  onTrust,
}: {
  question: TrustQuestion;
  onTrust: (pair: TrustQuestion) => void;
}) {
  const [asking, setAsking] = useState(false);
  const { domain, host } = question;
  return (
    <>
      <Button variant="quiet" size="small" className="mt-4 w-full" onClick={() => setAsking(true)}>
        Does the site use a login service?
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Trust ${host} for ${domain}?`}
          confirmLabel="Trust it"
          cancelLabel="Do not trust"
          onCancel={() => setAsking(false)}
          onConfirm={() => onTrust(question)}
        >
          <span className="wrap-anywhere">
            From now on {host} may take your answers for {domain}. Do this only if {domain} itself told you
            that it signs people in through {host}. If a code from a message or a stranger’s screen brought
            you here, it is a trap.
          </span>
        </ConfirmDialog>
      )}
    </>
  );
}

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
