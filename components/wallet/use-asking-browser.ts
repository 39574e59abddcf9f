import { type AskingBrowser, findAskingBrowser, type SilentSites } from "@svc/wallet/asking-browser";
import type { ChallengePayload } from "@svc/wallet/read-payload";
import { WalletError } from "@svc/wallet/wallet-error";
import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { challengeOf, loginOf, refuse, refuseLate, type WalletRequest } from "./request.ts";

/** A code can arrive while somebody is about to press something else: approving takes a look first. */
const APPROVE_DELAY_MS = 500;

/** Who is asking: undefined until the site has said so or was given up, null where it does not tell. */
export type Asking = AskingBrowser | null | undefined;

/**
 * Asks the site who is asking, once for each code that a person is asked about. A code that the site disowns is
 * refused in place of the question.
 * @param silent where it is kept which sites do not tell; null where nothing is kept
 */
export function useAskingBrowser(
  request: WalletRequest | null,
  setRequest: Dispatch<SetStateAction<WalletRequest | null>>,
  silent: SilentSites | null,
): Asking {
  const [told, setTold] = useState<{ login: string; browser: AskingBrowser | null } | null>(null);
  const payload = askedPayload(request);
  useEffect(() => {
    if (payload === null) return;
    let over = false;
    findAskingBrowser(payload, silent).then(
      (browser) => over || setTold({ login: loginOf(payload), browser }),
      (error) => over || setRequest((current) => refuseQuestion(current, payload, error)),
    );
    return () => {
      over = true;
    };
  }, [payload, silent, setRequest]);
  if (payload === null) return null;
  // The next code of a login is the same browser's: what was said stands until it is said anew.
  return told?.login === loginOf(payload) ? told.browser : undefined;
}

/** Whether a question may be approved: once all of it has been there for long enough to see what is asked. */
export function useReady(complete: boolean): boolean {
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

/** The payload of a question, from its beginning until the answer is there. Fast login's sites have no such endpoint. */
function askedPayload(request: WalletRequest | null): ChallengePayload | null {
  switch (request?.phase) {
    case "asking":
    case "confirming":
    case "sending":
      return request.payload.kind === "challenge" ? request.payload : null;
    default:
      return null;
  }
}

/** An answer that is on its way is the site's to judge. */
function refuseQuestion(
  current: WalletRequest | null,
  payload: ChallengePayload,
  error: unknown,
): WalletRequest | null {
  if (current?.phase !== "asking" || challengeOf(current.payload) !== challengeOf(payload)) return current;
  const isLate = error instanceof WalletError && error.code === "challenge_expired";
  return isLate ? refuseLate(payload) : refuse(payload, error);
}
