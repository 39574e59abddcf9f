"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ChallengeAnatomy } from "#components/site/what-is-signed.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Countdown } from "#components/ui/countdown.tsx";
import {
  askAbout,
  challengeParts,
  readRequest,
  refuse,
  renewRequest,
  type WalletRequest,
} from "#components/wallet/request.ts";
import { RequestFacts } from "#components/wallet/request-facts.tsx";
import {
  RequestOutcome,
  RequestTitle,
  retrySentence,
  statusSentence,
} from "#components/wallet/request-words.tsx";
import { nowSeconds, useCodeLife } from "#components/wallet/use-code-life.ts";
import { endOf } from "#lib/wallet/check-payload.ts";
import { WALLET_VERSION } from "#lib/wallet/device-info.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { makeTrialWallet, type TrialWallet } from "#lib/wallet/trial-wallet.ts";

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

/** The code that the page beside it shows, as a wallet sees it, and the one thing that can be done about it. */
function useTrialRequest(wallet: TrialWallet, qr: string | null) {
  const [request, setRequest] = useState<WalletRequest | null>(null);

  useEffect(() => {
    if (qr !== null) setRequest((current) => takeCode(current, qr));
  }, [qr]);
  const renew = useCallback((next: Payload) => {
    setRequest((current) => current && renewRequest(current, next, { now: nowSeconds() }));
  }, []);
  useCodeLife(request, setRequest, renew);

  const approve = async () => {
    if (request?.phase !== "asking" || request.payload.kind !== "challenge") return;
    const { payload } = request;
    setRequest({ phase: "sending", payload });
    try {
      const result = await wallet.answer(payload, {
        onRetry: ({ reason }) => setRequest({ phase: "sending", payload, retry: retrySentence(reason) }),
      });
      setRequest({ phase: "answered", payload, result });
    } catch (error) {
      setRequest(refuse(payload, error));
    }
  };
  return { request, approve };
}

/** What a code makes of the request so far: an answer that is on its way, or was accepted, stands. */
function takeCode(current: WalletRequest | null, qr: string): WalletRequest {
  if (current?.phase === "sending" || (current?.phase === "answered" && current.result.ok)) return current;
  const read = readRequest(qr);
  if ("phase" in read) return read;
  const expectation = { now: nowSeconds() };
  const renewed = current && renewRequest(current, read, expectation);
  return renewed && renewed !== current ? renewed : askAbout(read, expectation);
}
