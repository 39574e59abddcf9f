"use client";

import { signOut, useSessionWatch } from "@svc/login/client";
import { useState, useTransition } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { LogOut } from "../ui/icons.tsx";

/**
 * Signs out through NextAuth and opens the start page. If another tab has already signed out, the button reloads the
 * page, which then no longer shows the account of `userId`.
 */
export function SignOutButton({ userId }: { userId: number | string }) {
  useSessionWatch(userId);
  const { controls } = useTexts();
  const [pending, start] = useTransition();
  const [failed, setFailed] = useState(false);
  const leave = () =>
    start(async () => {
      const isSignedOut = await signOut();
      setFailed(!isSignedOut);
      if (isSignedOut) window.location.assign("/");
    });
  return (
    <div className="svc-sign-out">
      <span role="status" className="svc-problem">
        {failed && controls.stillSignedIn}
      </span>
      <Button variant="quiet" size="small" disabled={pending} onClick={leave}>
        <LogOut aria-hidden className="svc-icon" />
        <span className="svc-sign-out-text">{pending ? controls.signingOut : controls.signOut}</span>
      </Button>
    </div>
  );
}
