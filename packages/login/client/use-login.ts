import { type Dispatch, useEffect, useReducer, useRef } from "react";
import useSWR from "swr";
import { POLL_INTERVAL_SECONDS, QR_REFRESH_SECONDS } from "../protocol/numbers.ts";
import { sameOriginPath } from "../protocol/paths.ts";
import { acceptsCookies } from "./accepts-cookies.ts";
import { currentMoment, elapsedMs, monotonicElapsedMs } from "./elapsed.ts";
import {
  type CheckOutcome,
  type IssueOutcome,
  type LoginSource,
  parseCheckOutcome,
  parseRefusalReason,
} from "./login-source.ts";
import {
  computeNextCodeDelayMs,
  getWatchedSid,
  INITIAL_LOGIN_STATE,
  type LoginEvent,
  type LoginState,
  loginReducer,
} from "./login-state.ts";
import { pauseSessionWatch } from "./session-watch.ts";
import { prefetchCsrfToken, redeemLogin } from "./sign-in.ts";

export type UseLoginResult = {
  state: LoginState;
  resume: () => void;
  restart: () => void;
};

/** The second value is for users who prefer reduced motion, because they see no animation. */
const SUCCESS_MS = 800;
const STILL_SUCCESS_MS = 150;

/**
 * Afterwards, the page opens `callbackUrl` or the server's `redirect`. If `onAnswered` is set, the page calls it
 * instead and stays open. `source` must be the same object in every render.
 */
export function useLogin(
  source: LoginSource,
  callbackUrl: string | null,
  onAnswered: (() => void) | null = null,
): UseLoginResult {
  const [state, dispatch] = useReducer(loginReducer, INITIAL_LOGIN_STATE);
  useLoginCode(source, state, dispatch);
  useLoginStatus(source, state, dispatch);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("offline", () => dispatch({ type: "disconnected" }), { signal });
    window.addEventListener("online", () => dispatch({ type: "reconnected" }), { signal });
    // When the browser restores the page from its back/forward cache, the page's login has already ended.
    const restartIfRestored = ({ persisted }: PageTransitionEvent) =>
      persisted && dispatch({ type: "restart" });
    window.addEventListener("pageshow", restartIfRestored, { signal });
    return () => controller.abort();
  }, []);

  const isSigningIn = state.phase === "received" || state.phase === "signed-in";
  useEffect(() => (isSigningIn ? pauseSessionWatch() : undefined), [isSigningIn]);

  const redeeming = useRef<LoginState>(null);
  useEffect(() => {
    const callbackQuery = callbackUrl ? `&${new URLSearchParams({ callbackUrl })}` : "";
    if (state.phase === "waiting" && source.provider !== null && !source.direct) prefetchCsrfToken();
    if (state.phase === "received" && redeeming.current !== state) {
      redeeming.current = state;
      void redeemLogin(source, state.sid).then((result) => {
        if (typeof result === "string") return dispatch({ type: "redeemed", result });
        window.location.assign(result.stopsAt + callbackQuery);
      });
    }
    if (state.phase !== "signed-in") return;
    const { redirect } = state;
    // Without a provider, the page at `redirect` redeems or confirms the login and then opens `callbackUrl`.
    const confirms = source.provider === null && redirect !== null;
    const target = confirms
      ? sameOriginPath(redirect + callbackQuery, "/dashboard")
      : sameOriginPath(callbackUrl, sameOriginPath(redirect, "/dashboard"));
    const leavePage = () => (onAnswered ? onAnswered() : window.location.assign(target));
    const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(leavePage, prefersReducedMotion ? STILL_SUCCESS_MS : SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [state, source, callbackUrl, onAnswered]);

  return { state, resume: () => dispatch({ type: "resume" }), restart: () => dispatch({ type: "restart" }) };
}

/** After this time without activity, a page stops renewing its codes. */
export const IDLE_TIMEOUT_MS = 5 * 60_000;

/** A page whose device wakes up requests a new code within this time. */
const LOOK_MS = 1_000;
/** A code of at least this age is about to expire, so it is replaced when a wallet asks for a newer one. */
const ON_DEMAND_MS = 20_000;
/**
 * Within one code's lifetime, in case a site refuses them. The number is limited, because a wallet with a wrong clock
 * considers every code expired and keeps asking for new ones.
 */
const EARLY_CODES = 2;
const RENEWAL_PAUSE_MS = 3_000;

const ACTIVITY_EVENTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

function useLoginCode(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
  useFirstCode(source, state, dispatch);
  useRenewal(source, state, dispatch);

  const pausedSid = state.phase === "paused" ? state.sid : null;
  useEffect(() => {
    if (pausedSid === null) return;
    return source.shareCode?.(pausedSid, null, () => dispatch({ type: "resume" }));
  }, [source, pausedSid, dispatch]);
}

function useFirstCode(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
  useEffect(() => {
    const delay = computeNextCodeDelayMs(state, Date.now());
    if (delay === null) return;
    const sid = "sid" in state ? state.sid : null;
    let superseded = false;
    const begin = async () => {
      if (sid !== null) {
        // A wallet may have answered in the meantime. A new code would hide the answer.
        const outcome = await source.check(sid);
        if (superseded) return;
        dispatch({ type: "checked", sid, outcome, now: Date.now() });
        if (outcome.kind !== "pending") return;
      }
      const outcome = await firstCode(source, sid);
      if (!superseded) dispatch({ type: "issued", outcome, now: Date.now() });
    };
    const timer = setTimeout(begin, delay);
    return () => {
      superseded = true;
      clearTimeout(timer);
    };
  }, [source, state, dispatch]);
}

/** Without cookies, a wallet could answer the code but the browser could not sign in. */
async function firstCode(source: LoginSource, sid: string | null): Promise<IssueOutcome> {
  return acceptsCookies() ? source.issue(sid) : { kind: "no-cookies" };
}

/** @param dispatch returns false if the page has replaced its code in the meantime */
async function renewCode(
  source: LoginSource,
  sid: string,
  dispatch: (event: LoginEvent) => boolean,
): Promise<void> {
  const outcome = await source.issue(sid);
  if (outcome.kind === "issued" && outcome.sid !== sid) {
    // The server issues no more codes for the session. A wallet may have answered before this page was notified.
    const last = await source.check(sid);
    const isCurrent = dispatch({ type: "checked", sid, outcome: last, now: Date.now() });
    if (!isCurrent || last.kind === "authenticated") return;
  }
  dispatch({ type: "issued", outcome, now: Date.now() });
}

function useRenewal(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
  const lastActivity = useLastActivity();
  const earlyTimes = useRef<number[]>([]);
  const { sid, qr } = state.phase === "waiting" ? state : { sid: null, qr: null };

  useEffect(() => {
    if (sid === null) return;
    const shownAt = currentMoment();
    let superseded = false;
    let isAsking = false;
    const isAged = (milliseconds: number) =>
      elapsedMs(shownAt) >= milliseconds && monotonicElapsedMs(shownAt) >= RENEWAL_PAUSE_MS;
    const renewWhenDue = async () => {
      if (isAsking || !isAged(QR_REFRESH_SECONDS * 1000)) return;
      if (monotonicElapsedMs({ steady: lastActivity.current }) > IDLE_TIMEOUT_MS)
        return dispatch({ type: "idle" });
      // The code on a hidden page cannot be scanned. The page renews its code when it becomes visible or when a wallet
      // asks for a new one.
      if (!document.hidden) await renew();
    };
    const renew = async () => {
      if (isAsking || superseded) return;
      isAsking = true;
      await renewCode(source, sid, (event) => {
        if (!superseded) dispatch(event);
        return !superseded;
      });
    };
    const stopSharing = source.shareCode?.(sid, qr, () => {
      if (!isAsking && (isAged(ON_DEMAND_MS) || mayBeEarly(earlyTimes.current))) void renew();
    });
    const timer = setInterval(renewWhenDue, LOOK_MS);
    document.addEventListener("visibilitychange", renewWhenDue);
    return () => {
      superseded = true;
      stopSharing?.();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renewWhenDue);
    };
  }, [source, sid, qr, dispatch, lastActivity]);
}

/**
 * Also records the request.
 * @param earlyTimes as `performance.now()` returns them
 */
function mayBeEarly(earlyTimes: number[]): boolean {
  const recent = earlyTimes.filter((steady) => monotonicElapsedMs({ steady }) < QR_REFRESH_SECONDS * 1000);
  if (recent.length >= EARLY_CODES) return false;
  earlyTimes.splice(0, earlyTimes.length, ...recent, performance.now());
  return true;
}

/**
 * In milliseconds as `performance.now()` returns it. A reference, because updating the time must not cause a render.
 */
function useLastActivity(): { readonly current: number } {
  const last = useRef(0);
  useEffect(() => {
    const controller = new AbortController();
    const recordActivity = () => {
      last.current = performance.now();
    };
    recordActivity();
    for (const name of ACTIVITY_EVENTS) {
      window.addEventListener(name, recordActivity, { passive: true, signal: controller.signal });
    }
    return () => controller.abort();
  }, []);
  return last;
}

const NOT_ASKED_YET: CheckOutcome = { kind: "pending" };

/**
 * A constant, because SWR would restart its interval if it received a new object. Hidden pages also poll, because the
 * wallet may be in another tab. `check` returns failures instead of throwing them, because SWR stops polling after an
 * error.
 */
const POLLING = {
  refreshInterval: POLL_INTERVAL_SECONDS * 1000,
  refreshWhenHidden: true,
  revalidateIfStale: false,
  fallbackData: NOT_ASKED_YET,
  dedupingInterval: 1_000,
};

/** The page keeps polling in the meantime. */
const STREAM_RETRY_MS = 15_000;
/**
 * After this many consecutive refusals, the page only polls, because a site without the `events` plugin has no streams.
 */
const STREAM_ATTEMPTS = 3;

/**
 * A hidden page closes its stream: over HTTP/1.1, a browser opens at most six connections to a site across all tabs,
 * and six streams would leave none for the next page.
 */
function useLoginStatus(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
  const sid = getWatchedSid(state);

  useSWR(
    sid === null ? null : ["login", sid],
    async ([, watched]) => {
      const outcome = await source.check(watched);
      dispatch({ type: "checked", sid: watched, outcome, now: Date.now() });
      return outcome;
    },
    POLLING,
  );

  useEffect(() => {
    const url = sid === null ? null : source.eventsUrl(sid);
    if (sid === null || url === null) return;
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refusals = 0;
    const open = () => {
      stream = new EventSource(url);
      const openedStream = stream;
      stream.onopen = () => {
        refusals = 0;
      };
      stream.onmessage = ({ data }) => {
        const outcome = (source.readEvent ?? parseCheckOutcome)(parse(data), sid);
        dispatch({ type: "checked", sid, outcome, now: Date.now() });
      };
      stream.addEventListener("refused", ({ data }) => {
        const reason = parseRefusalReason(parse(data));
        if (reason) dispatch({ type: "refused", reason });
      });
      // After an error such as a 503, the browser does not reconnect the stream automatically.
      stream.onerror = () => {
        if (openedStream.readyState !== EventSource.CLOSED) return;
        refusals++;
        if (refusals < STREAM_ATTEMPTS) timer = setTimeout(open, STREAM_RETRY_MS);
      };
    };
    const close = () => {
      clearTimeout(timer);
      stream?.close();
    };
    const onlyWhileShown = () => {
      close();
      if (!document.hidden) open();
    };
    onlyWhileShown();
    document.addEventListener("visibilitychange", onlyWhileShown);
    return () => {
      document.removeEventListener("visibilitychange", onlyWhileShown);
      close();
    };
  }, [source, sid, dispatch]);
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
