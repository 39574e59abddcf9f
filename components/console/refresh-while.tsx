"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Asks the server for the page again while something on it is under way: soon at first, then less and less often. */
export function RefreshWhile({ waiting }: { waiting: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!waiting) return;
    let delay = FIRST_MS;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      timer = setTimeout(() => {
        if (!document.hidden) router.refresh();
        delay = Math.min(delay * 1.5, LONGEST_MS);
        next();
      }, delay);
    };
    next();
    return () => clearTimeout(timer);
  }, [waiting, router]);
  return null;
}
