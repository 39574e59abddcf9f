import type { Payload } from "@svc/wallet/read-payload";
import type { TrialAnswer, TrialWallet } from "@svc/wallet/trial-wallet";
import { useCallback, useEffect, useState } from "react";
import {
  askAbout,
  readRequest,
  refuse,
  renewRequest,
  type WalletRequest,
} from "#components/wallet/request.ts";
import { retrySentence } from "#components/wallet/request-words.tsx";
import { type Undoable, undoableOf } from "#components/wallet/undo-login.tsx";
import { useAskingBrowser } from "#components/wallet/use-asking-browser.ts";
import { nowSeconds, useCodeLife } from "#components/wallet/use-code-life.ts";

/** What was signed and accepted. */
export type TrialReceipt = {
  payload: Payload;
  answer: TrialAnswer;
  /** How old the code was when it was approved. */
  codeAgeSeconds: number;
  /** When it was approved, by `performance.now()`. */
  approvedAt: number;
  /** From the request to the site's answer, in milliseconds. */
  answeredMs: number;
};

/** The code that the page beside it shows, as a wallet sees it, and the one thing that can be done about it. */
export function useTrialRequest(
  wallet: TrialWallet,
  qr: string | null,
  onAnswered?: (receipt: TrialReceipt) => void,
) {
  const [request, setRequest] = useState<WalletRequest | null>(null);
  const { trustedHosts } = wallet;

  useEffect(() => {
    if (qr !== null) setRequest((current) => takeCode(current, qr, trustedHosts));
  }, [qr, trustedHosts]);
  const renew = useCallback(
    (next: Payload) => {
      setRequest((current) => current && renewRequest(current, next, { now: nowSeconds(), trustedHosts }));
    },
    [trustedHosts],
  );
  useCodeLife(request, setRequest, renew);
  // The page's own site, and nothing is kept.
  const asking = useAskingBrowser(request, setRequest, null);
  const [undoable, setUndoable] = useState<Undoable | null>(null);

  const approve = async () => {
    if (request?.phase !== "asking") return;
    const { payload } = request;
    setRequest({ phase: "sending", payload });
    const approvedAt = performance.now();
    const { fetch, spent } = timedFetch();
    const codeAgeSeconds = nowSeconds() - issuedAt(payload);
    try {
      const answer = await wallet.answer(payload, {
        fetch,
        onRetry: ({ reason }) => setRequest({ phase: "sending", payload, retry: retrySentence(reason) }),
      });
      const answered: WalletRequest = {
        phase: "answered",
        payload,
        result: answer,
        keyName: keyNameOf(answer),
      };
      setUndoable(undoableOf(answered));
      setRequest(answered);
      if (answer.ok) onAnswered?.({ payload, answer, codeAgeSeconds, approvedAt, answeredMs: spent() });
    } catch (error) {
      setRequest(refuse(payload, error));
    }
  };
  return { request, asking, undoable, setUndoable, approve };
}

/** A key's fingerprint, or an address. */
export function keyNameOf({ key }: TrialAnswer): string {
  return "fingerprint" in key ? key.fingerprint : key.address;
}

function issuedAt(payload: Payload): number {
  return payload.kind === "fast" ? payload.issuedAt : payload.challenge.issuedAt;
}

/** `fetch`, and how long its last request took. */
function timedFetch() {
  let ms = 0;
  const timed: typeof fetch = async (input, init) => {
    const start = performance.now();
    const response = await fetch(input, init);
    ms = performance.now() - start;
    return response;
  };
  return { fetch: timed, spent: () => ms };
}

/** What a code makes of the request so far: an answer that is on its way, or was accepted, stands. */
function takeCode(current: WalletRequest | null, qr: string, trustedHosts: readonly string[]): WalletRequest {
  if (current?.phase === "sending" || (current?.phase === "answered" && current.result.ok)) return current;
  const read = readRequest(qr);
  if ("phase" in read) return read;
  const expectation = { now: nowSeconds(), trustedHosts };
  const renewed = current && renewRequest(current, read, expectation);
  return renewed && renewed !== current ? renewed : askAbout(read, expectation);
}
