"use client";

import { type CodeHolder, type CodesItem, createRecoveryCodes, readCodes } from "@svc/login/recovery";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useApproval } from "#components/approval/approval-provider.tsx";
import { Container } from "#components/site/container.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { TryCode } from "./enter-code.tsx";
import { NewCodes } from "./new-codes.tsx";

type Step = { name: "state" } | { name: "new"; codes: [string, string] } | { name: "active" };

/** The page of a signed-in user's codes. */
export function RecoveryCodesScreen(props: { codes: CodesItem; holder: CodeHolder }) {
  return (
    <Container className="grid max-w-xl gap-6 print:max-w-none print:py-6">
      <div className="print:hidden">
        <h1 className="font-semibold text-title">Recovery codes</h1>
        <p className="mt-2 text-muted-foreground">
          They bring your account back when your wallet is lost. They sign nobody in: they let you choose a
          new wallet.
        </p>
      </div>
      <RecoveryCodes {...props} />
      <p className="text-sm print:hidden">
        <TextLink href="/dashboard">Back to the dashboard</TextLink>
      </p>
    </Container>
  );
}

/** Makes recovery codes, shows them once, has them typed back, and tries them. */
function RecoveryCodes({ codes, holder }: { codes: CodesItem; holder: CodeHolder }) {
  const router = useRouter();
  const [step, setStep] = useState<Step>({ name: "state" });
  if (step.name === "new") {
    const onActive = () => {
      setStep({ name: "active" });
      router.refresh();
    };
    return (
      <Card className="print:border-0 print:p-0">
        <NewCodes codes={step.codes} holder={holder} onActive={onActive} />
      </Card>
    );
  }
  return (
    <div className="grid gap-6">
      {step.name === "active" && <NowActive />}
      <Card aria-labelledby="codes">
        <CardHeader title="Two codes, for two places" id="codes">
          <CodesState {...codes} />
        </CardHeader>
        {codes.ageing && (
          <Notice tone="warning" className="mb-4">
            This site is changing its secret. The codes that you have will stop working: make new ones.
          </Notice>
        )}
        <MakeCodes replaces={codes.active > 0} onMade={(made) => setStep({ name: "new", codes: made })} />
      </Card>
      {codes.active > 0 && (
        <Card aria-labelledby="drill">
          <CardHeader title="Try a code" id="drill">
            See whether what you kept can be read and works. Trying a code does not use it up.
          </CardHeader>
          <TryCode />
        </Card>
      )}
    </div>
  );
}

function NowActive() {
  return (
    <Notice tone="success">
      <p>Your two codes work from now on.</p>
      <ButtonLink size="small" href="/dashboard" className="mt-3">
        Back to the dashboard
      </ButtonLink>
    </Notice>
  );
}

function CodesState({ active, unconfirmed, madeAt }: CodesItem) {
  if (active === 0) {
    return unconfirmed
      ? "You made codes but never activated them. Make new ones."
      : "You have none. If you lose your wallet, there is no way back into your account without a second one.";
  }
  return (
    <>
      {active === 1 ? "1 code works" : `${active} codes work`}
      {madeAt && (
        <>
          , made <LocalTime iso={madeAt} />
        </>
      )}
      .
    </>
  );
}

function MakeCodes({ replaces, onMade }: { replaces: boolean; onMade: (codes: [string, string]) => void }) {
  const ask = useApproval();
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = useTransition();
  const make = () =>
    start(async () => {
      const result = await ask(createRecoveryCodes, "Make recovery codes");
      const codes = result.done ? readCodes(result.body) : null;
      if (codes) onMade(codes);
      else setProblem(result.done ? "That did not work. Try again." : result.message);
    });
  return (
    <div className="grid gap-3">
      {replaces ? (
        <ConfirmButton
          label="Make new codes"
          question="The codes that you have now end at once."
          confirmLabel="Yes, make new ones"
          busy="Making…"
          pending={pending}
          onConfirm={make}
          variant="secondary"
          size="base"
          className="justify-self-start"
        />
      ) : (
        <Button variant="primary" className="justify-self-start" disabled={pending} onClick={make}>
          {pending ? "Making…" : "Make two codes"}
        </Button>
      )}
      <p role="status" className="text-danger text-sm empty:absolute">
        {problem}
      </p>
    </div>
  );
}
