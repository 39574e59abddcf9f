"use client";

import { createContext, useCallback, useContext, useState } from "react";
import { TextField } from "#components/ui/text-field.tsx";
import { API_MODES, type ApiMode } from "#lib/hosted/contract/tenant.ts";

type KeyField = { key: string; setKey(key: string): void };

/** The key that requests are tried with; it lives in this page's memory and is gone with it. */
const TryKey = createContext<KeyField>({ key: "", setKey: () => {} });

/** The key that was pasted, and the mode that it is of; null before, and for what is no key. */
export function useTryKey(): { key: string; mode: ApiMode } | null {
  const key = useContext(TryKey).key.trim();
  const mode = API_MODES.find((name) => key.startsWith(`svc_${name}_`));
  return mode ? { key, mode } : null;
}

/** Holds the key, around everything that uses it. */
export function TryKeyProvider({ children }: { children: React.ReactNode }) {
  const [key, setKey] = useState("");
  return <TryKey value={{ key, setKey }}>{children}</TryKey>;
}

/** The field for the key. */
export function TryKeyField() {
  const { setKey } = useContext(TryKey);
  // A key may have been pasted before this page's script ran.
  const readPasted = useCallback(
    (field: HTMLInputElement | null) => {
      if (field) setKey(field.value);
    },
    [setKey],
  );
  return (
    <TextField
      label="API key"
      type="password"
      ref={readPasted}
      onChange={(event) => setKey(event.target.value)}
      placeholder="svc_test_…"
      hint="A test key speaks to /sandbox/v1, a live key to /v1: with a live key, what you try is real."
    />
  );
}
