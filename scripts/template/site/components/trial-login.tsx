"use client";

import { type ComponentProps, useState } from "react";
import { SiteLogin } from "@/components/login/site-login.tsx";
import { Button } from "@/components/ui.tsx";
import { useWords } from "@/components/words/words.tsx";

/** The login in development, with a trial wallet next to the code. In production the pages use `SiteLogin`. */
export function TrialLogin(props: ComponentProps<typeof SiteLogin>) {
  return <SiteLogin {...props} tryOut={(qr) => <TrialWallet qr={qr} />} />;
}

function TrialWallet({ qr }: { qr: string | null }) {
  const words = useWords().login;
  const [said, setSaid] = useState("");
  const answer = async (code: string) => {
    const { answerWithTrialWallet } = await import("@svc/login/trial-wallet");
    const { ok, advice } = await answerWithTrialWallet(code);
    setSaid(ok ? "" : advice);
  };
  return (
    <>
      <Button variant="primary" disabled={qr === null} onClick={() => qr !== null && answer(qr)}>
        {words.trial}
      </Button>
      <p className="text-muted-foreground text-sm" role="status">
        {said || words.trialNote}
      </p>
    </>
  );
}
