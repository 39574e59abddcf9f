import { secondsLeft } from "@svc/wallet/check-payload";
import type { Payload } from "@svc/wallet/read-payload";
import { useEffect } from "react";
import { followLogin } from "./code-handover.ts";
import {
  challengeOf,
  expireRequest,
  isOpenQuestion,
  readRequest,
  renewablePayload,
  sessionOf,
  type WalletRequest,
} from "./request.ts";

/** The next code is asked for this long before the present one ends, so that the question need not go away. */
const ASK_BEFORE_END_SECONDS = 5;
const ASK_EVERY_MS = 1_500;

/** Lets a question end with its code, and follows the login while it has no answer: each next code comes to `onNext`. */
export function useCodeLife(
  request: WalletRequest | null,
  setRequest: (change: (current: WalletRequest | null) => WalletRequest | null) => void,
  onNext: (payload: Payload) => void,
): void {
  const asked = isOpenQuestion(request) ? request.payload : null;
  useEffect(() => {
    if (asked === null) return;
    const timer = setInterval(
      () => setRequest((current) => current && expireRequest(current, nowSeconds())),
      500,
    );
    return () => clearInterval(timer);
  }, [asked, setRequest]);

  const renewable = renewablePayload(request);
  const over = renewable !== null && asked === null;
  useEffect(() => {
    if (renewable === null) return;
    const login = { session: sessionOf(renewable), held: challengeOf(renewable) };
    const { ask, stop } = followLogin(login, (qr) => {
      const read = readRequest(qr);
      if (!("phase" in read)) onNext(read);
    });
    const askInTime = () => {
      const ending = over || secondsLeft(renewable, nowSeconds()) <= ASK_BEFORE_END_SECONDS;
      if (ending && document.visibilityState === "visible") ask();
    };
    askInTime();
    const timer = setInterval(askInTime, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [renewable, over, onNext]);
}

export function nowSeconds(): number {
  return Date.now() / 1000;
}
