"use client";

import { useEffect, useState } from "react";
import { useWords } from "#components/words/words.tsx";
import { useHydrated } from "./button.tsx";

const LOCAL = { dateStyle: "medium", timeStyle: "short" } as const;

/** The reader's own variant of the page's language, such as `en-GB` for `en`. */
export function readersLocale(language: string): string {
  return navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
}

/** A moment: UTC in the page as it arrives, the reader's own time and language once it is hydrated. */
export function LocalTime({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const { language } = useWords();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    <time dateTime={iso} title={utc} className="whitespace-nowrap tabular-nums">
      {hydrated ? new Date(iso).toLocaleString(readersLocale(language), LOCAL) : utc}
    </time>
  );
}

/**
 * Seconds until `at` (ms since the epoch), counted in a component of its own so that nothing else renders with it.
 * Not a live region: a screen reader reads it when asked, not every second.
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
