"use client";

import { type CodeHolder, createRecoveryCodes, type RecoveryCodesInfo, readCodes } from "@svc/login/recovery";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useApproval, useRefusal } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { ButtonLink } from "../ui/button-look.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Card, Container, Notice, Problem, Section, TextLink } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";
import { CheckCode } from "./enter-code.tsx";
import { NewCodes } from "./new-codes.tsx";

type Step = { name: "state" } | { name: "new"; codes: [string, string] } | { name: "active" };

export function RecoveryCodes(props: { codes: RecoveryCodesInfo; holder: CodeHolder }) {
  const { codes } = useTexts();
  return (
    <Container className="svc-narrow svc-stack">
      <div className="svc-no-print">
        <h1 className="svc-title">{codes.title}</h1>
        <p className="svc-muted-text">{codes.lead}</p>
      </div>
      <CodesSteps {...props} />
      <p className="svc-small-text svc-no-print">
        <TextLink href="/dashboard">{codes.back}</TextLink>
      </p>
    </Container>
  );
}

function CodesSteps({ codes, holder }: { codes: RecoveryCodesInfo; holder: CodeHolder }) {
  const router = useRouter();
  const texts = useTexts().codes;
  const [step, setStep] = useState<Step>({ name: "state" });
  if (step.name === "new") {
    const onActive = () => {
      setStep({ name: "active" });
      router.refresh();
    };
    return (
      <Card className="svc-print-bare">
        <NewCodes codes={step.codes} holder={holder} onActive={onActive} />
      </Card>
    );
  }
  return (
    <div className="svc-stack">
      {step.name === "active" && <NowActive />}
      <Section id="codes" title={texts.twoCodes} text={<CodesState {...codes} />}>
        {codes.ageing && (
          <Notice tone="warning" className="svc-space-below">
            {texts.ageing}
          </Notice>
        )}
        <MakeCodes replaces={codes.active > 0} onMade={(codes) => setStep({ name: "new", codes: codes })} />
      </Section>
      {codes.active > 0 && (
        <Section id="drill" title={texts.tryTitle} text={texts.tryText}>
          <CheckCode />
        </Section>
      )}
    </div>
  );
}

function NowActive() {
  const { codes } = useTexts();
  return (
    <Notice tone="success">
      <p className="svc-paragraph">{codes.active}</p>
      <ButtonLink size="small" href="/dashboard">
        {codes.back}
      </ButtonLink>
    </Notice>
  );
}

function CodesState({ active, unconfirmed, madeAt }: RecoveryCodesInfo) {
  const { codes } = useTexts();
  if (active === 0) return unconfirmed ? codes.unconfirmed : codes.none;
  return (
    <>
      {codes.working(active)}
      {madeAt && <>, {codes.madeAt(<LocalTime iso={madeAt} />)}</>}.
    </>
  );
}

function MakeCodes({ replaces, onMade }: { replaces: boolean; onMade: (codes: [string, string]) => void }) {
  const ask = useApproval();
  const { codes: texts } = useTexts();
  const refusal = useRefusal();
  const [problem, setProblem] = useState<React.ReactNode>(null);
  const [pending, start] = useTransition();
  const make = () =>
    start(async () => {
      const result = await ask(createRecoveryCodes, texts.make);
      const codes = result.done ? readCodes(result.body) : null;
      if (codes) onMade(codes);
      else setProblem(result.done ? texts.failed : refusal(result));
    });
  return (
    <div className="svc-stack">
      {replaces ? (
        <ConfirmButton
          label={texts.makeNew}
          question={texts.makeNewQuestion}
          confirmLabel={texts.makeNewConfirm}
          busy={texts.making}
          pending={pending}
          onConfirm={make}
          look={{}}
        />
      ) : (
        <Button variant="primary" className="svc-start" disabled={pending} onClick={make}>
          {pending ? texts.making : texts.makeTwo}
        </Button>
      )}
      <Problem>{problem}</Problem>
    </div>
  );
}
