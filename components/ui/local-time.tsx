"use client";

import { useWords } from "#components/words/words.tsx";
import { useHydrated } from "./button.tsx";

const LOCAL = { dateStyle: "medium", timeStyle: "short" } as const;

/** The reader's own form of the page's language, such as `en-GB` for `en`. */
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
