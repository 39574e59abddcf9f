import { useEffect, useReducer, useRef } from "react";
import { sameOriginPath } from "#lib/contracts/same-origin-path.ts";
import type { LoginSource } from "./login-source.ts";
import { FIRST_STATE, type LoginState, nextState } from "./login-state.ts";
import { prepareAuthForm } from "./post-auth-form.ts";
import { redeemLogin } from "./redeem-login.ts";
import { useLoginCode } from "./use-login-code.ts";
import { useLoginStatus } from "./use-login-status.ts";

export type Login = {
  state: LoginState;
  /** Goes on with the same login after a pause or a failure. */
  resume: () => void;
  /** Starts a new one. */
  restart: () => void;
};

function withCallbackUrl(path: string, callbackUrl: string | null): string {
  return callbackUrl === null ? path : `${path}&${new URLSearchParams({ callbackUrl })}`;
}

/**
 * A login as one page lives it: codes, status, sign-in, and on to `callbackUrl` or to where the server says; with
 * `onAnswered` the page itself goes on. `source` must be the same object at every render.
 */
export function useLogin(
  source: LoginSource,
  callbackUrl: string | null,
  onAnswered: (() => void) | null = null,
): Login {
  const [state, dispatch] = useReducer(nextState, FIRST_STATE);
  useLoginCode(source, state, dispatch);
  useLoginStatus(source, state, dispatch);

  useEffect(() => {
    const disconnected = () => dispatch({ type: "disconnected" });
    const reconnected = () => dispatch({ type: "reconnected" });
    // A page that the browser kept and shows again (Back) holds a login that is over.
    const shownAgain = (event: PageTransitionEvent) => event.persisted && dispatch({ type: "restart" });
    window.addEventListener("offline", disconnected);
    window.addEventListener("online", reconnected);
    window.addEventListener("pageshow", shownAgain);
    return () => {
      window.removeEventListener("offline", disconnected);
      window.removeEventListener("online", reconnected);
      window.removeEventListener("pageshow", shownAgain);
    };
  }, []);

  const redeeming = useRef<LoginState>(null);
  useEffect(() => {
    if (state.phase === "waiting" && source.provider !== null) prepareAuthForm();
    if (state.phase === "received" && redeeming.current !== state) {
      redeeming.current = state;
      void redeemLogin(source.provider, state.sid).then((result) => {
        if (typeof result === "string") dispatch({ type: "redeemed", result });
        else window.location.assign(withCallbackUrl(result.stopsAt, callbackUrl));
      });
    }
    if (state.phase !== "signed-in") return;
    if (onAnswered) onAnswered();
    else {
      window.location.assign(sameOriginPath(callbackUrl, sameOriginPath(state.redirect, "/dashboard")));
    }
  }, [state, source, callbackUrl, onAnswered]);

  return {
    state,
    resume: () => dispatch({ type: "resume" }),
    restart: () => dispatch({ type: "restart" }),
  };
}
