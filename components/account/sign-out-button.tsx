"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";

/** Ends this browser's session through NextAuth and goes to the start page. */
export function SignOutButton() {
  const [pending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    try {
      const { signOut } = await import("next-auth/react");
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
