"use client";

import { type CodeHolder, type CodesItem, createRecoveryCodes, readCodes } from "@svc/login/recovery";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useApproval, useRefusal } from "../approval/approval-provider.tsx";
import { Button } from "../ui/button.tsx";
import { ButtonLink } from "../ui/button-look.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Card, Container, Notice, Problem, Section, TextLink } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";
import { useWords } from "../words/words.tsx";
import { TryCode } from "./enter-code.tsx";
import { NewCodes } from "./new-codes.tsx";

type Step = { name: "state" } | { name: "new"; codes: [string, string] } | { name: "active" };

/** The page of a signed-in user's codes. */
export function RecoveryCodesScreen(props: { codes: CodesItem; holder: CodeHolder }) {
  const { codes } = useWords();
  return (
    <Container className="grid max-w-xl gap-6 print:max-w-none print:py-6">
      <div className="print:hidden">
        <h1 className="font-semibold text-title">{codes.title}</h1>
        <p className="mt-2 text-muted-foreground">{codes.lead}</p>
      </div>
      <RecoveryCodes {...props} />
      <p className="text-sm print:hidden">
        <TextLink href="/dashboard">{codes.back}</TextLink>
      </p>
    </Container>
  );
}

/** Makes recovery codes, shows them once, has them typed back, and tries them. */
function RecoveryCodes({ codes, holder }: { codes: CodesItem; holder: CodeHolder }) {
  const router = useRouter();
  const words = useWords().codes;
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
      <Section id="codes" title={words.twoCodes} text={<CodesState {...codes} />}>
        {codes.ageing && (
          <Notice tone="warning" className="mb-4">
            {words.ageing}
          </Notice>
        )}
        <MakeCodes replaces={codes.active > 0} onMade={(made) => setStep({ name: "new", codes: made })} />
      </Section>
      {codes.active > 0 && (
        <Section id="drill" title={words.tryTitle} text={words.tryText}>
          <TryCode />
        </Section>
      )}
    </div>
  );
}

function NowActive() {
  const { codes } = useWords();
  return (
    <Notice tone="success">
      <p>{codes.active}</p>
      <ButtonLink size="small" href="/dashboard" className="mt-3">
        {codes.back}
      </ButtonLink>
    </Notice>
  );
}

function CodesState({ active, unconfirmed, madeAt }: CodesItem) {
  const { codes } = useWords();
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
  const { codes: words } = useWords();
  const refusal = useRefusal();
  const [problem, setProblem] = useState<React.ReactNode>(null);
  const [pending, start] = useTransition();
  const make = () =>
    start(async () => {
      const result = await ask(createRecoveryCodes, words.make);
      const codes = result.done ? readCodes(result.body) : null;
      if (codes) onMade(codes);
      else setProblem(result.done ? words.failed : refusal(result));
    });
  return (
    <div className="grid gap-3">
      {replaces ? (
        <ConfirmButton
          label={words.makeNew}
          question={words.makeNewQuestion}
          confirmLabel={words.makeNewConfirm}
          busy={words.making}
          pending={pending}
          onConfirm={make}
          look={{}}
        />
      ) : (
        <Button variant="primary" className="justify-self-start" disabled={pending} onClick={make}>
          {pending ? words.making : words.makeTwo}
        </Button>
      )}
      <Problem>{problem}</Problem>
    </div>
  );
}
