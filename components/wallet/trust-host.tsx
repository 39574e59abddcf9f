"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { TrustQuestion } from "./request.ts";

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
