"use client";

import { useHydrated } from "./button.tsx";

const LOCAL = { dateStyle: "medium", timeStyle: "short" } as const;

/** A moment: UTC in the page as it arrives, the reader's own time and language once it is hydrated. */
export function LocalTime({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    <time dateTime={iso} title={utc} className="whitespace-nowrap tabular-nums">
      {hydrated ? new Date(iso).toLocaleString(undefined, LOCAL) : utc}
    </time>
  );
}
