"use client";

import { useSyncExternalStore } from "react";

const LOCAL = { dateStyle: "medium", timeStyle: "short" } as const;
const never = () => () => {};

/**
 * A moment: UTC in the page as it arrives, the reader's own time and language once the browser has taken over,
 * so that both render the same at first.
 */
export function LocalTime({ iso }: { iso: string }) {
  const local = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return (
    <time dateTime={iso} title={utc} className="whitespace-nowrap tabular-nums">
      {local ? new Date(iso).toLocaleString(undefined, LOCAL) : utc}
    </time>
  );
}
