import { type Dispatch, useEffect } from "react";
import useSWR from "swr";
import { POLL_INTERVAL_SECONDS } from "../protocol/numbers.ts";
import { type CheckOutcome, type LoginSource, readCheck, readRefusal } from "./login-source.ts";
import { type LoginEvent, type LoginState, watchedSid } from "./login-state.ts";

const NOT_ASKED_YET: CheckOutcome = { kind: "pending" };

/**
 * At module level: SWR takes a new options object for a new interval and would start counting again. A hidden
 * page polls too, since the wallet may be another tab. Failures are data, because SWR stops polling on errors.
 */
const POLLING = {
  refreshInterval: POLL_INTERVAL_SECONDS * 1000,
  refreshWhenHidden: true,
  revalidateIfStale: false,
  fallbackData: NOT_ASKED_YET,
  dedupingInterval: 1_000,
};

/** When a stream that was refused is asked for again; the poll goes on meanwhile. */
const STREAM_RETRY_MS = 15_000;

/** Learns what the wallet did: polled every 5 seconds, and pushed where the source has a stream. */
export function useLoginStatus(source: LoginSource, state: LoginState, dispatch: Dispatch<LoginEvent>): void {
  const sid = watchedSid(state);

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
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      stream = new EventSource(url);
      stream.onmessage = ({ data }) => {
        dispatch({ type: "checked", sid, outcome: readCheck(parse(data)), now: Date.now() });
      };
      stream.addEventListener("refused", ({ data }) => {
        const reason = readRefusal(parse(data));
        if (reason) dispatch({ type: "refused", reason });
      });
      // A browser gives up a stream that was answered with an error, such as a 503, for good.
      stream.onerror = () => {
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, STREAM_RETRY_MS);
      };
    };
    open();
    return () => {
      clearTimeout(timer);
      stream.close();
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
