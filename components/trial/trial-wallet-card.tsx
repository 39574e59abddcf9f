"use client";

import { useEffect, useRef, useState } from "react";
import { Countdown } from "#components/login/countdown.tsx";
import { ChallengeAnatomy } from "#components/site/challenge-anatomy.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { challengeParts } from "#components/wallet/request.ts";
import { RequestFacts } from "#components/wallet/request-facts.tsx";
import { RequestOutcome } from "#components/wallet/request-outcome.tsx";
import { RequestTitle } from "#components/wallet/request-title.tsx";
import { WALLET_VERSION } from "#components/wallet/version.ts";
import { statusSentence } from "#components/wallet/wallet-status.ts";
import { endOf } from "#lib/wallet/check-payload.ts";
import { makeTrialWallet, type TrialWallet } from "#lib/wallet/trial-wallet.ts";
import { useTrialRequest } from "./use-trial-request.ts";

/** A press that was meant for what stood here before approves nothing. */
const APPROVE_DELAY_MS = 500;

/** A new wallet for this page. */
export function openTrialWallet(): TrialWallet {
  return makeTrialWallet(WALLET_VERSION);
}

/** The wallet for trying out, beside the page whose code it answers. */
export function TrialWalletCard({
  wallet,
  qr,
  onDecline,
}: {
  wallet: TrialWallet;
  /** The code that the page shows; null while it shows none. */
  qr: string | null;
  onDecline: () => void;
}) {
  const { request, approve } = useTrialRequest(wallet, qr);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => setReady(true), APPROVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);

  const payload =
    request && "payload" in request && request.payload?.kind === "challenge" ? request.payload : null;
  const asking = request?.phase === "asking";
  useEffect(() => {
    // On a phone the wallet stands below the code: who asks, and both answers, come into sight at once.
    if (asking) question.current?.scrollIntoView({ block: "nearest" });
  }, [asking]);
  return (
    <Card aria-labelledby="trial-wallet" data-phase={request?.phase}>
      <p role="status" className="sr-only">
        {statusSentence(request)}
      </p>
      <div ref={question} className="scroll-my-4">
        <h2 id="trial-wallet" ref={heading} tabIndex={-1} className="font-semibold outline-none">
          A wallet for trying out
        </h2>
        <p className="mt-1 text-muted-foreground text-sm">
          Made just now, so it has no account here: it creates one. Its seed is in this tab’s memory and
          nowhere else. When you leave or reload this page the wallet is gone, and no other can sign in to its
          account.
        </p>
        {request && payload && (
          <div className="mt-4 border-t pt-4">
            <RequestTitle payload={payload} phase={request.phase} />
            {(asking || request.phase === "sending") && <RequestFacts payload={payload} sites={[]} />}
          </div>
        )}
        {request ? (
          <RequestOutcome request={request} />
        ) : (
          <p className="mt-4 text-muted-foreground">Waiting for the page’s code…</p>
        )}
        {request?.phase !== "sending" && !(request?.phase === "answered" && request.result.ok) && (
          <div className="mt-4 grid grid-cols-2 gap-3">
            <Button onClick={onDecline}>Decline</Button>
            <Button variant="primary" disabled={!ready || !asking} onClick={approve}>
              Approve
            </Button>
          </div>
        )}
        {asking && (
          <div className="mt-3 text-center">
            <Countdown at={endOf(request.payload) * 1000} before="Ends in" />
          </div>
        )}
      </div>
      {payload && (
        <ChallengeAnatomy
          challenge={challengeParts(payload)}
          title="All that this wallet signs"
          className="mt-4 border-t pt-4"
        />
      )}
    </Card>
  );
}
