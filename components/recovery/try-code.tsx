"use client";

import { useState } from "react";
import { Notice } from "#components/ui/notice.tsx";
import { CodeForm } from "./code-form.tsx";
import { checkCode } from "./request-recovery.ts";

/** A drill: tells whether a code works, and leaves it as it is. */
export function TryCode() {
  const [works, setWorks] = useState(false);
  return (
    <div className="grid gap-4">
      <CodeForm action="Try it" busy="Trying…" ask={checkCode} onDone={() => setWorks(true)} />
      <div role="status" className="empty:hidden">
        {works && (
          <Notice tone="success">This code works. It was not used up: put it back where it was.</Notice>
        )}
      </div>
    </div>
  );
}
