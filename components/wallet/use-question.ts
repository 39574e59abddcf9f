import type { CodeAnswer } from "@svc/wallet/answer-code";
import { type AskingBrowser, findAskingBrowser, type SilentSites } from "@svc/wallet/asking-browser";
import { type Expectation, refuseWrongTime } from "@svc/wallet/check-payload";
import type { Payload } from "@svc/wallet/read-payload";
import {
  expireRequest,
  isOpenQuestion,
  loginOf,
  questionEndsIn,
  readRequest,
  refuse,
  refuseExpired,
  renewablePayload,
  renewRequest,
  timeOf,
  type WalletRequest,
} from "@svc/wallet/request";
import type { RequestEnvironment } from "@svc/wallet/request-site";
import { makeSiteClock, type SiteClock } from "@svc/wallet/site-clock";
import { WalletError } from "@svc/wallet/wallet-error";
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useState } from "react";
import { followLogin } from "./code-handover.ts";
import { type UndoableAnswer, undoableOf } from "./request-words.tsx";

/** How long before a code ends the wallet asks for the next one, so that the question can stay. */
const ASK_BEFORE_END_SECONDS = 5;
const ASK_EVERY_MS = 1_500;
/** A code can arrive just as somebody presses something else, so it cannot be approved before this time. */
const APPROVE_DELAY_MS = 500;
/** Why an answer is sent again. */
const RETRIES = {
  unreachable: "No answer yet. Trying again…",
  server_error: "The site has a problem. Trying again…",
};

type SetRequest = Dispatch<SetStateAction<WalletRequest | null>>;

/** The asking browser: undefined until the site has answered or timed out, null if it does not report it. */
export type AskingBrowserState = AskingBrowser | null | undefined;

/**
 * A code that a wallet is asked about, from the question to the answer.
 * @param expect what the wallet allows a code
 * @param silent remembers which sites do not report the asking browser; null to remember none
 */
export function useQuestion(
  expect: (payload: Payload, siteClock: SiteClock) => Promise<Expectation>,
  silent: SilentSites | null,
) {
  const [request, setRequest] = useState<WalletRequest | null>(null);
  const [siteClock] = useState(() => makeSiteClock());
  useExpiry(request, setRequest, siteClock);
  useNextCode(request, siteClock, async (next) => {
    const expectation = await expect(next, siteClock);
    setRequest((current) => current && renewRequest(current, next, expectation));
  });
  const asking = useAskingBrowser(request, setRequest, silent, siteClock);
  const [undoable, setUndoable] = useUndoable();

  /**
   * Answers a code, and shows each step. If a newer code arrives in the meantime, it stays.
   * @param sign resolves to null if there is no wallet, or no longer; the question then stays until it expires
   * @param problemOf why the wallet did not open, if the error is about that
   * @returns undefined if `sign` failed
   */
  const answer = async (
    payload: Payload,
    sign: (
      show: (phase: "confirming" | "sending") => void,
      onRetry: RequestEnvironment["onRetry"],
    ) => Promise<CodeAnswer | null>,
    problemOf: (error: unknown) => string | null = () => null,
  ): Promise<CodeAnswer | null | undefined> => {
    let shown: WalletRequest | null = null;
    const settle = (next: WalletRequest) => {
      const before = shown;
      shown = next;
      setRequest((current) => (before === null || current === before ? next : current));
    };
    try {
      const result = await sign(
        (phase) => settle({ phase, payload }),
        ({ reason }) => settle({ phase: "sending", payload, retry: RETRIES[reason] }),
      );
      if (result === null) {
        settle({ phase: "asking", payload });
        return null;
      }
      const { fingerprint, address } = result.key;
      const answered = { phase: "answered", payload, result, keyName: fingerprint ?? address } as const;
      setUndoable((last) => undoableOf(answered) ?? last);
      settle(answered);
      return result;
    } catch (error) {
      const problem = problemOf(error);
      settle(problem === null ? refuse(payload, error) : { phase: "asking", payload, problem });
      return undefined;
    }
  };
  const undone = () => setUndoable((last) => last && { ...last, undone: true });
  return { request, setRequest, siteClock, asking, answer, undoable, setUndoable, undone };
}

function useExpiry(request: WalletRequest | null, setRequest: SetRequest, siteClock: SiteClock): void {
  const isOpen = isOpenQuestion(request);
  useEffect(() => {
    if (!isOpen) return;
    const expire = () => setRequest((current) => current && expireRequest(current, siteClock));
    const timer = setInterval(expire, 500);
    return () => clearInterval(timer);
  }, [isOpen, setRequest, siteClock]);
}

/** Follows a login while it has no answer: each next code comes to `onNext`. */
function useNextCode(
  request: WalletRequest | null,
  siteClock: SiteClock,
  onNext: (payload: Payload) => void,
): void {
  const next = useEffectEvent(onNext);
  const renewable = renewablePayload(request);
  const over = renewable !== null && !isOpenQuestion(request);
  const isEnding = useEffectEvent(() => {
    const secondsOfQuestion = request && questionEndsIn(request, siteClock);
    return secondsOfQuestion !== null && secondsOfQuestion <= ASK_BEFORE_END_SECONDS;
  });
  useEffect(() => {
    if (renewable === null) return;
    const { session, challenge } = renewable;
    const { ask, stop } = followLogin({ session, held: challenge }, (qr) => {
      const read = readRequest(qr);
      if (!("phase" in read)) next(read);
    });
    const askInTime = () => {
      if ((over || isEnding()) && document.visibilityState === "visible") ask();
    };
    askInTime();
    const timer = setInterval(askInTime, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [renewable, over]);
}

/**
 * Asks the site who is asking, once for each code. A code that the site disowns is refused instead, and so is one that
 * is out of its time by the site's clock.
 */
function useAskingBrowser(
  request: WalletRequest | null,
  setRequest: SetRequest,
  silent: SilentSites | null,
  siteClock: SiteClock,
): AskingBrowserState {
  const [known, setKnown] = useState<{ login: string; browser: AskingBrowser | null } | null>(null);
  const payload = askedPayload(request);
  useEffect(() => {
    if (payload === null) return;
    let over = false;
    const ask = async () => {
      const browser = await findAskingBrowser(payload, silent, { siteClock });
      refuseWrongTime(payload, timeOf(payload, siteClock));
      if (!over) setKnown({ login: loginOf(payload), browser });
    };
    ask().catch((error) => over || setRequest((current) => refuseQuestion(current, payload, error)));
    return () => {
      over = true;
    };
  }, [payload, silent, setRequest, siteClock]);
  // Fast login's sites have no such endpoint.
  if (payload === null || payload.kind === "fast") return null;
  // The next code of a login is from the same browser, so the site's answer is valid until the next one.
  return known?.login === loginOf(payload) ? known.browser : undefined;
}

/** The payload of a question, from its beginning until its answer. */
function askedPayload(request: WalletRequest | null): Payload | null {
  switch (request?.phase) {
    case "asking":
    case "confirming":
    case "sending":
      return request.payload;
    default:
      return null;
  }
}

/** Refuses a question that is still open. The site decides about a response that was already sent. */
function refuseQuestion(
  current: WalletRequest | null,
  payload: Payload,
  error: unknown,
): WalletRequest | null {
  if (current?.phase !== "asking" || current.payload.challenge !== payload.challenge) return current;
  const isLate = error instanceof WalletError && error.code === "challenge_expired";
  return isLate ? refuseExpired(payload) : refuse(payload, error);
}

/** The last answer that can be undone, until its ten minutes have passed. */
function useUndoable() {
  const [undoable, setUndoable] = useState<UndoableAnswer | null>(null);
  const until = undoable?.until;
  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(() => setUndoable(null), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  return [undoable, setUndoable] as const;
}

/** Whether a question may be approved: once all of it has been visible for long enough to see what is asked. */
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
