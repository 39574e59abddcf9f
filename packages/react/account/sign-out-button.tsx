"use client";

import { signOut, useSessionWatch } from "@svc/login/client";
import { useState, useTransition } from "react";
import { Button } from "../ui/button.tsx";
import { LogOut } from "../ui/icons.tsx";
import { useWords } from "../words/words.tsx";

/**
 * Ends this browser's session through NextAuth and goes to the start page. Where another tab has done so, the page is
 * loaded again, so that it no longer shows the account of `userId`.
 */
export function SignOutButton({ userId }: { userId: number | string }) {
  useSessionWatch(userId);
  const { controls } = useWords();
  const [pending, start] = useTransition();
  const [failed, setFailed] = useState(false);
  const leave = () =>
    start(async () => {
      const left = await signOut();
      setFailed(!left);
      if (left) window.location.assign("/");
    });
  return (
    <div className="flex items-center">
      <span role="status" className="text-danger text-sm">
        {failed && controls.stillSignedIn}
      </span>
      <Button
        variant="quiet"
        size="small"
        className="min-w-11 max-sm:min-h-11"
        disabled={pending}
        onClick={leave}
      >
        <LogOut aria-hidden className="size-4 shrink-0 sm:hidden" />
        <span className="max-sm:sr-only">{pending ? controls.signingOut : controls.signOut}</span>
      </Button>
    </div>
  );
}
