"use client";

import { useEffect, useState } from "react";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How long it is until a moment: "Next attempt in 28 s", "in 9 min", "in 2 h". Not a live region: read when asked. */
export function TimeUntil({ at, before }: { at: string; before: string }) {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const count = () => setSeconds(Math.ceil((Date.parse(at) - Date.now()) / 1000));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <span title={at} className="whitespace-nowrap tabular-nums">
      {before} {seconds === null ? "soon" : waitInWords(seconds)}
    </span>
  );
}

/** The wait in its largest unit, so that it is read at a glance. */
export function waitInWords(seconds: number): string {
  if (seconds <= 0) return "now";
  if (seconds < 2 * MINUTE) return `in ${seconds} s`;
  return seconds < 2 * HOUR ? `in ${Math.round(seconds / MINUTE)} min` : `in ${Math.round(seconds / HOUR)} h`;
}
