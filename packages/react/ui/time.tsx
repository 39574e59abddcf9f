"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { useHydrated } from "./button.tsx";

const LOCAL = { dateStyle: "medium", timeStyle: "short" } as const;

/** Returns the reader's own variant of the page's language, such as `en-GB` for `en`. */
export function regionalLocale(language: string): string {
  return navigator.languages.find((locale) => locale.split("-")[0] === language) ?? language;
}

/**
 * Shows a point in time: in UTC when the page arrives, and in the reader's own time zone and language once it is
 * hydrated.
 */
export function LocalTime({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const { language } = useTexts();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    <time dateTime={iso} title={utc} className="svc-time">
      {hydrated ? new Date(iso).toLocaleString(regionalLocale(language), LOCAL) : utc}
    </time>
  );
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How long ago a moment was, in words; null within the last minute. */
function agoIn(iso: string, language: string, now: number): string | null {
  const seconds = (now - Date.parse(iso)) / 1000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (!unit) return null;
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(
    -Math.trunc(seconds / length),
    unit,
  );
}

/** How long ago something happened, kept up to date: "2 minutes ago". The element's title is the exact moment. */
export function TimeAgo({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const { language, controls } = useTexts();
  const [, countMinute] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => countMinute((minutes) => minutes + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  const title = hydrated
    ? new Date(iso).toLocaleString(regionalLocale(language), LOCAL)
    : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    // The server's minute may have ended when the browser renders.
    <time dateTime={iso} title={title} className="svc-time" suppressHydrationWarning>
      {agoIn(iso, language, Date.now()) ?? controls.justNow}
    </time>
  );
}

/**
 * A countdown in seconds, as a separate component so that nothing else is rendered every second. It is not a live
 * region: a screen reader reads it on request, not every second.
 * @param left returns the seconds that are left; called repeatedly
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
      {/* A single text node: browsers that translate a page replace text nodes, and React cannot update several. */}
      {`${before} ${controls.seconds(seconds)}`}
    </p>
  );
}
