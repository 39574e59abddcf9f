import { type Dispatch, useEffect, useRef } from "react";
import { QR_REFRESH_SECONDS } from "../protocol/numbers.ts";
import type { LoginSource } from "./login-source.ts";
import { codeDelayMs, type LoginEvent, type LoginState } from "./login-state.ts";

/** Codes are not renewed for longer than this when nobody is at the page. */
export const IDLE_LIMIT_MS = 5 * 60_000;

const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

/** Asks for the first code, for the next one after an interruption, and for a new one every 30 seconds. */
export function useLoginCode(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
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
    const delay = codeDelayMs(state, Date.now());
    if (delay === null) return;
    const sid = "sid" in state ? state.sid : null;
    let superseded = false;
    const begin = async () => {
      if (sid !== null) {
        // A wallet may have answered meanwhile: a new code would only hide that.
        const outcome = await source.check(sid);
        if (superseded) return;
        dispatch({ type: "checked", sid, outcome, now: Date.now() });
        if (outcome.kind !== "pending") return;
      }
      const outcome = await source.issue(sid);
      if (!superseded) dispatch({ type: "issued", outcome, now: Date.now() });
    };
    const timer = setTimeout(begin, delay);
    return () => {
      superseded = true;
      clearTimeout(timer);
    };
  }, [source, state, dispatch]);
}

function useRenewal(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
  const lastActivity = useLastActivity();
  const { sid, qr } = state.phase === "waiting" ? state : { sid: null, qr: null };

  useEffect(() => {
    if (sid === null) return;
    const dueAt = Date.now() + QR_REFRESH_SECONDS * 1000;
    let superseded = false;
    let asking = false;
    const renewWhenDue = async () => {
      if (asking || Date.now() < dueAt) return;
      if (Date.now() - lastActivity.current > IDLE_LIMIT_MS) return dispatch({ type: "idle" });
      // Nobody can scan a hidden page; it renews when it is looked at again, or when a wallet asks.
      if (!document.hidden) await renew();
    };
    const renew = async () => {
      if (asking || superseded) return;
      asking = true;
      const outcome = await source.issue(sid);
      if (superseded) return;
      if (outcome.kind === "issued" && outcome.sid !== sid) {
        // The session is over for new codes: perhaps because a wallet has answered and nobody told us yet.
        const last = await source.check(sid);
        if (superseded) return;
        dispatch({ type: "checked", sid, outcome: last, now: Date.now() });
        if (last.kind === "authenticated") return;
      }
      dispatch({ type: "issued", outcome, now: Date.now() });
    };
    const stopSharing = source.shareCode?.(sid, qr, () => void renew());
    const timer = setInterval(renewWhenDue, QR_REFRESH_SECONDS * 1000);
    document.addEventListener("visibilitychange", renewWhenDue);
    return () => {
      superseded = true;
      stopSharing?.();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renewWhenDue);
    };
  }, [source, sid, qr, dispatch, lastActivity]);
}

/** The time (ms since the epoch) at which somebody was last seen at this page; kept without rendering. */
function useLastActivity(): { readonly current: number } {
  const last = useRef(0);
  useEffect(() => {
    const left = new AbortController();
    const seen = () => {
      last.current = Date.now();
    };
    seen();
    for (const name of SIGNS_OF_LIFE) {
      window.addEventListener(name, seen, { passive: true, signal: left.signal });
    }
    return () => left.abort();
  }, []);
  return last;
}
