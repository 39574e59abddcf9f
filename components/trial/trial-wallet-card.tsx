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
import { type Undoable, UndoLogin, undoableOf } from "#components/wallet/undo-login.tsx";
import { useAskingBrowser, useReady } from "#components/wallet/use-asking-browser.ts";
import { nowSeconds, useCodeLife } from "#components/wallet/use-code-life.ts";
import { endOf } from "#lib/wallet/check-payload.ts";
import { WALLET_VERSION } from "#lib/wallet/device-info.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { makeTrialWallet, type TrialWallet } from "#lib/wallet/trial-wallet.ts";

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
  const { request, asking, undoable, setUndoable, approve } = useTrialRequest(wallet, qr);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const ready = useReady(asking !== undefined);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const payload =
    request && "payload" in request && request.payload?.kind === "challenge" ? request.payload : null;
  const open = request?.phase === "asking";
  const told = open && asking !== undefined;
  useEffect(() => {
    // On a phone the wallet stands below the code: who asks, and both answers, come into sight at once.
    if (told) question.current?.scrollIntoView({ block: "nearest" });
  }, [told]);
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
            {(open || request.phase === "sending") && (
              <RequestFacts payload={payload} sites={[]} asking={asking} />
            )}
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
            <Button variant="primary" disabled={!ready || !open} onClick={approve}>
              Approve
            </Button>
          </div>
        )}
        {undoable && (
          <UndoLogin login={undoable} onUndone={() => setUndoable({ ...undoable, undone: true })} />
        )}
        {open && (
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
  // The page's own site, and nothing is kept.
  const asking = useAskingBrowser(request, setRequest, null);
  const [undoable, setUndoable] = useState<Undoable | null>(null);

  const approve = async () => {
    if (request?.phase !== "asking" || request.payload.kind !== "challenge") return;
    const { payload } = request;
    setRequest({ phase: "sending", payload });
    try {
      const result = await wallet.answer(payload, {
        onRetry: ({ reason }) => setRequest({ phase: "sending", payload, retry: retrySentence(reason) }),
      });
      const answered: WalletRequest = { phase: "answered", payload, result };
      setUndoable(undoableOf(answered));
      setRequest(answered);
    } catch (error) {
      setRequest(refuse(payload, error));
    }
  };
  return { request, asking, undoable, setUndoable, approve };
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
