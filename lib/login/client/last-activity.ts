import { useEffect, useRef } from "react";

const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

/** The time (ms since the epoch) at which somebody was last seen at this page; kept without rendering. */
export function useLastActivity(): { readonly current: number } {
  const last = useRef(0);
  useEffect(() => {
    const seen = () => {
      last.current = Date.now();
    };
    seen();
    for (const name of SIGNS_OF_LIFE) window.addEventListener(name, seen, { passive: true });
    return () => {
      for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, seen);
    };
  }, []);
  return last;
}
