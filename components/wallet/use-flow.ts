import {
  getRenewablePayload,
  isOpenQuestion,
  secondsUntilQuestionEnds,
  type WalletRequest,
} from "@svc/wallet/request";
import type { RequestFlow } from "@svc/wallet/request-flow";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { followLogin } from "./code-handover.ts";
import { findUndoableAnswer, type UndoableAnswer } from "./request-words.tsx";

/**
 * The wallet asks for the next QR code this long before the current one expires, so that the wallet's question stays on
 * the screen.
 */
const ASK_BEFORE_END_SECONDS = 5;
const ASK_EVERY_MS = 1_500;
/** The delay before a new request can be approved: a QR code can arrive just as the user presses something else. */
const APPROVE_DELAY_MS = 500;

/** Ends the request when its QR code expires, unless the login's next QR code has arrived. */
export function useFlow(flow: RequestFlow) {
  const { request, asking } = useSyncExternalStore(flow.subscribe, flow.state, flow.state);
  const isOpen = isOpenQuestion(request);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => flow.expire(), 500);
    return () => clearInterval(timer);
  }, [isOpen, flow]);
  useNextCode(flow, request);
  const [undoable, setUndoable] = useState<UndoableAnswer | null>(null);
  useEffect(() => {
    if (request?.phase === "answered") setUndoable((last) => findUndoableAnswer(request) ?? last);
  }, [request]);
  const until = undoable?.until;
  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(() => setUndoable(null), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  const markUndone = () => setUndoable((last) => last && { ...last, undone: true });
  return { flow, request, asking, siteClock: flow.siteClock, undoable, setUndoable, undone: markUndone };
}

function useNextCode(flow: RequestFlow, request: WalletRequest | null): void {
  const renewable = getRenewablePayload(request);
  const isOver = renewable !== null && !isOpenQuestion(request);
  const isEnding = useEffectEvent(() => {
    const questionSeconds = request && secondsUntilQuestionEnds(request, flow.siteClock);
    return questionSeconds !== null && questionSeconds <= ASK_BEFORE_END_SECONDS;
  });
  useEffect(() => {
    if (renewable === null) return;
    const { session, challenge } = renewable;
    const { ask, stop } = followLogin({ session, heldChallenge: challenge }, (qr) => void flow.renew(qr));
    const askInTime = () => {
      if ((isOver || isEnding()) && document.visibilityState === "visible") ask();
    };
    askInTime();
    const timer = setInterval(askInTime, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [renewable, isOver, flow]);
}

export function useApprovalDelay(complete: boolean): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (!complete) return;
    const timer = setTimeout(() => setReady(true), APPROVE_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setReady(false);
    };
  }, [complete]);
  return ready;
}
