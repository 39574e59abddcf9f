import { useEffect, useReducer, useRef } from "react";
import { sameOriginPath } from "../protocol/paths.ts";
import type { LoginSource } from "./login-source.ts";
import { FIRST_STATE, type LoginState, nextState } from "./login-state.ts";
import { prepareAuthForm, redeemLogin } from "./next-auth.ts";
import { useLoginCode } from "./use-login-code.ts";
import { useLoginStatus } from "./use-login-status.ts";

/** What a page shows of its login, and what it can do about it. */
export type UseLogin = {
  state: LoginState;
  /** Continues the same login after a pause or a failure. */
  resume: () => void;
  /** Starts a new one. */
  restart: () => void;
};

/** How long a success is seen before the page moves on; where motion is not wanted there is none to wait for. */
const SUCCESS_MS = 800;
const STILL_SUCCESS_MS = 150;

/**
 * One page's login: codes, status, sign-in, then on to `callbackUrl` or to where the server says; with
 * `onAnswered` the page itself goes on. `source` must be the same object at every render.
 */
export function useLogin(
  source: LoginSource,
  callbackUrl: string | null,
  onAnswered: (() => void) | null = null,
): UseLogin {
  const [state, dispatch] = useReducer(nextState, FIRST_STATE);
  useLoginCode(source, state, dispatch);
  useLoginStatus(source, state, dispatch);

  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    window.addEventListener("offline", () => dispatch({ type: "disconnected" }), { signal });
    window.addEventListener("online", () => dispatch({ type: "reconnected" }), { signal });
    // A page that the browser kept and shows again (Back) holds a login that is over.
    const shown = ({ persisted }: PageTransitionEvent) => persisted && dispatch({ type: "restart" });
    window.addEventListener("pageshow", shown, { signal });
    return () => left.abort();
  }, []);

  const redeeming = useRef<LoginState>(null);
  useEffect(() => {
    if (state.phase === "waiting" && source.provider !== null && !source.direct) prepareAuthForm();
    if (state.phase === "received" && redeeming.current !== state) {
      redeeming.current = state;
      void redeemLogin(source, state.sid).then((result) => {
        if (typeof result === "string") return dispatch({ type: "redeemed", result });
        const kept = callbackUrl ? `&${new URLSearchParams({ callbackUrl })}` : "";
        window.location.assign(result.stopsAt + kept);
      });
    }
    if (state.phase !== "signed-in") return;
    const { redirect } = state;
    const goOn = () =>
      onAnswered
        ? onAnswered()
        : window.location.assign(sameOriginPath(callbackUrl, sameOriginPath(redirect, "/dashboard")));
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(goOn, isStill ? STILL_SUCCESS_MS : SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [state, source, callbackUrl, onAnswered]);

  return { state, resume: () => dispatch({ type: "resume" }), restart: () => dispatch({ type: "restart" }) };
}
