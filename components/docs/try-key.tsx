"use client";

import { createContext, useContext, useState } from "react";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { API_MODES, type ApiMode } from "#lib/hosted/contract/tenant.ts";

/** The key that requests are tried with; it lives in this page's memory and is gone with it. */
const TryKey = createContext("");

/** The key that was pasted, and the mode that it is of; null before, and for what is no key. */
export function useTryKey(): { key: string; mode: ApiMode } | null {
  const key = useContext(TryKey).trim();
  const mode = API_MODES.find((name) => key.startsWith(`svc_${name}_`));
  return mode ? { key, mode } : null;
}

/** A field for the key, around everything that uses it. */
export function TryKeyProvider({ children }: { children: React.ReactNode }) {
  const [key, setKey] = useState("");
  return (
    <>
      <Card aria-labelledby="try">
        <CardHeader title="Try it from this page" id="try">
          The key stays in this page’s memory: it is sent to this API only and forgotten when you leave.
        </CardHeader>
        <TextField
          label="API key"
          type="password"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="svc_test_…"
          hint="A test key speaks to /sandbox/v1, a live key to /v1: with a live key, what you try is real."
        />
      </Card>
      <TryKey value={key}>{children}</TryKey>
    </>
  );
}
