"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { signOut } from "#lib/login/client/next-auth.ts";

/** Ends this browser's session through NextAuth and goes to the start page. */
export function SignOutButton() {
  const [pending, start] = useTransition();
  const [failed, setFailed] = useState(false);
  const leave = () =>
    start(async () => {
      const left = await signOut();
      setFailed(!left);
      if (left) window.location.assign("/");
    });
  return (
    <div className="flex flex-wrap items-center justify-end gap-y-1">
      <span role="status" className="me-3 text-danger text-sm empty:me-0">
        {failed && "You are still signed in. Try again."}
      </span>
      <Button disabled={pending} onClick={leave}>
        {pending ? "Signing out…" : "Sign out"}
      </Button>
    </div>
  );
}
