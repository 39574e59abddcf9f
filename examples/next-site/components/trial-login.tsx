"use client";

import { Button, Login, type LoginProps } from "@svc/react";
import { useState } from "react";

type TrialLoginProps = LoginProps & { action: "login" | "register"; trial: string; note: string };

/** The login in development, which shows a trial wallet next to the code. In production, pages use `Login` instead. */
export function TrialLogin({ trial, note, ...props }: TrialLoginProps) {
  const [advice, setAdvice] = useState("");
  const answer = async (code: string) => {
    const { answerWithTrialWallet } = await import("@svc/login/trial-wallet");
    const answered = await answerWithTrialWallet(code);
    setAdvice(answered.ok ? "" : answered.advice);
  };
  const wallet = (qr: string | null) => (
    <>
      <Button variant="primary" disabled={qr === null} onClick={() => qr !== null && answer(qr)}>
        {trial}
      </Button>
      <p className="text-muted-foreground text-sm" role="status">
        {advice || note}
      </p>
    </>
  );
  return <Login {...props} tryOut={wallet} />;
}
