"use client";

import { useEffect, useRef } from "react";

/** Nobody has touched the page for this long. */
const IDLE_MS = 120_000;
/** Or it has been out of sight for this long. */
const HIDDEN_MS = 30_000;

/** Calls `lock` when the page was left alone, as long as `open`. */
export function useAutoLock(open: boolean, lock: () => void): void {
  const latest = useRef(lock);
  latest.current = lock;
  useEffect(() => {
    if (!open) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let deadline = 0;
    const restart = () => {
      // A phone that slept runs its timers late: the time itself is looked at too.
      if (deadline !== 0 && Date.now() > deadline) return latest.current();
      const milliseconds = document.visibilityState === "hidden" ? HIDDEN_MS : IDLE_MS;
      deadline = Date.now() + milliseconds;
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), milliseconds);
    };
    restart();
    const signs = ["pointerdown", "keydown", "visibilitychange"] as const;
    for (const sign of signs) document.addEventListener(sign, restart);
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, restart);
    };
  }, [open]);
}
