"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { loadNextAuth } from "#lib/client/redeem-login.ts";

/** Ends this browser's session through NextAuth and goes to the start page. */
export function SignOutButton() {
  const [pending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    try {
      const { signOut } = await loadNextAuth();
      await signOut({ callbackUrl: "/" });
    } catch {
      setPending(false);
    }
  };
  return (
    <Button disabled={pending} onClick={leave}>
      {pending ? "Signing out…" : "Sign out"}
    </Button>
  );
}
