"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { useHydrated } from "./button.tsx";

const LOCAL = { dateStyle: "medium", timeStyle: "short" } as const;

/** For example `en-GB` for `en`. */
export function getRegionalLocale(language: string): string {
  return navigator.languages.find((locale) => locale.split("-")[0] === language) ?? language;
}

/** In UTC, then in the user's own time zone and language once the page is hydrated. */
export function LocalTime({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const { language } = useTexts();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    <time dateTime={iso} title={utc} className="svc-time">
      {hydrated ? new Date(iso).toLocaleString(getRegionalLocale(language), LOCAL) : utc}
    </time>
  );
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Null if less than a minute ago. */
function agoIn(iso: string, language: string, now: number): string | null {
  const seconds = (now - Date.parse(iso)) / 1000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (!unit) return null;
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(
    -Math.trunc(seconds / length),
    unit,
  );
}

/** Stays up to date ("2 minutes ago"). The element's title is the exact time. */
export function TimeAgo({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const { language, controls } = useTexts();
  const [, countMinute] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => countMinute((minutes) => minutes + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  const title = hydrated
    ? new Date(iso).toLocaleString(getRegionalLocale(language), LOCAL)
    : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    // A minute can end between the server's render and the browser's, so the two texts can differ.
    <time dateTime={iso} title={title} className="svc-time" suppressHydrationWarning>
      {agoIn(iso, language, Date.now()) ?? controls.justNow}
    </time>
  );
}

/**
 * A separate component so that nothing else renders every second. It is not a live region, so a screen reader does not
 * announce every second.
 * @param left in seconds
 */
export function Countdown({ left, before }: { left: () => number; before: string }) {
  const { controls } = useTexts();
  const read = () => Math.max(0, Math.round(left()));
  const [seconds, setSeconds] = useState(read);
  const count = useEffectEvent(() => setSeconds(read()));
  useEffect(() => {
    const timer = setInterval(() => count(), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="svc-time svc-note">
      {/* This is a single text node, because browsers that translate a page replace text nodes, and React could then not update several of them. */}
      {`${before} ${controls.seconds(seconds)}`}
    </p>
  );
}
