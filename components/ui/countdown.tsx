"use client";

import { useEffect, useState } from "react";
import { useWords } from "#components/words/words.tsx";

/**
 * Seconds until `at` (ms since the epoch), counted in a component of its own so that nothing else renders with it.
 * Not a live region: a screen reader reads it when asked, and never each second.
 */
export function Countdown({ at, before, after = "" }: { at: number; before: string; after?: string }) {
  const { controls } = useWords();
  const [seconds, setSeconds] = useState(() => secondsUntil(at));
  useEffect(() => {
    setSeconds(secondsUntil(at));
    const timer = setInterval(() => setSeconds(secondsUntil(at)), 1000);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <p className="whitespace-nowrap text-muted-foreground text-sm tabular-nums">
      {before} {controls.seconds(seconds)}
      {after}
    </p>
  );
}

function secondsUntil(at: number): number {
  return Math.max(0, Math.round((at - Date.now()) / 1000));
}
