"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { dismissChanges } from "./dismiss-changes.ts";

export type ChangeItem = {
  id: string;
  /** ISO 8601. */
  at: string;
  /** What was changed, in words. */
  what: string;
  /** Which key, address, API key or domain; null where there is none. */
  subject: string | null;
  /** The browser in words. */
  browser: string;
  /** The device of the wallet that signed it in, or null. */
  device: string | null;
};

/** What was changed in other browsers, until this one's user has taken note of it. */
export function ChangeNotices({ changes }: { changes: ChangeItem[] }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  if (changes.length === 0) return null;
  const dismiss = () =>
    start(async () => {
      const result = await dismissChanges(changes.map(({ id }) => id));
      setProblem(result.done ? null : result.message);
      if (result.done) router.refresh();
    });
  return (
    <section aria-labelledby="changes">
      <Notice tone="warning">
        <h2 id="changes" className="font-semibold">
          Your account was changed in another browser
        </h2>
        <ul className="mt-2 grid gap-2">
          {changes.map(({ id, at, what, subject, browser, device }) => (
            <li key={id} className="wrap-anywhere">
              {what}
              {subject && (
                <>
                  : <span className="font-mono">{subject}</span>
                </>
              )}
              <span className="block text-muted-foreground">
                <LocalTime iso={at} />, {browser}
                {device && ` with ${device}`}
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-3">
          Was it you? If not, remove what you do not know below, and sign out everywhere.
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button size="small" disabled={pending} onClick={dismiss}>
            {pending ? "Dismissing…" : "It was me, dismiss"}
          </Button>
          <p role="status" className="text-danger empty:absolute">
            {problem}
          </p>
        </div>
      </Notice>
    </section>
  );
}
