"use client";

import { useCallback, useEffect, useState } from "react";
import { renewRequest } from "#components/wallet/renew-request.ts";
import { askAbout, readRequest, refuse, type WalletRequest } from "#components/wallet/request.ts";
import { nowSeconds, useCodeLife } from "#components/wallet/use-code-life.ts";
import { retrySentence } from "#components/wallet/wallet-status.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import type { TrialWallet } from "#lib/wallet/trial-wallet.ts";

/** The code that the page beside it shows, as a wallet sees it, and the one thing that can be done about it. */
export function useTrialRequest(wallet: TrialWallet, qr: string | null) {
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
