"use client";

import { CodeForm } from "./code-form.tsx";
import { openRecovery } from "./request-recovery.ts";

/** Where somebody who has lost their wallet begins: with a code. */
export function EnterCode() {
  return (
    <CodeForm
      action="Continue"
      busy="Checking…"
      ask={openRecovery}
      onDone={() => window.location.assign("/recover")}
    />
  );
}
