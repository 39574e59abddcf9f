"use client";

import { type CodeHolder, confirmCodes, readCode } from "@svc/login/recovery";
import { useState, useTransition } from "react";
import { useRefusal } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button, FocusedHeading } from "../ui/button.tsx";
import { CopyButton, downloadFile } from "../ui/copy-button.tsx";
import { Problem } from "../ui/elements.tsx";
import { Download, Printer } from "../ui/icons.tsx";
import { TextField } from "../ui/text-field.tsx";
import { getRegionalLocale } from "../ui/time.tsx";

type Codes = readonly [string, string];

/** The codes are shown once, and work only after the user has typed them. */
export function NewCodes({
  codes,
  holder,
  onActive,
}: {
  codes: Codes;
  holder: CodeHolder;
  onActive: () => void;
}) {
  const [areStored, setAreStored] = useState(false);
  return areStored ? (
    <ConfirmTypedCodes codes={codes} onActive={onActive} onBack={() => setAreStored(false)} />
  ) : (
    <ShowCodes codes={codes} holder={holder} onStored={() => setAreStored(true)} />
  );
}

function ShowCodes({ codes, holder, onStored }: { codes: Codes; holder: CodeHolder; onStored: () => void }) {
  const { codes: texts, language } = useTexts();
  const address = `${holder.origin}/recover`;
  const text = texts.file({ ...holder, codes, address, date: new Date().toISOString().slice(0, 10) });
  const file = new Blob([text], { type: "text/plain" });
  return (
    <>
      <div className="svc-stack svc-no-print">
        <div>
          <FocusedHeading>{texts.keep}</FocusedHeading>
          <p className="svc-note">{texts.keepText}</p>
        </div>
        <ol className="svc-list" aria-label={texts.yours}>
          {codes.map((code, place) => (
            <li key={code} className="svc-recovery-code">
              <span className="svc-note">{texts.code(place + 1)}</span>
              <code className="svc-mono svc-strong">{code}</code>
            </li>
          ))}
        </ol>
        <div className="svc-wrap">
          <Button onClick={() => window.print()}>
            <Printer aria-hidden className="svc-icon" />
            {texts.print}
          </Button>
          <Button onClick={() => downloadFile(`recovery-codes-${holder.domain}.txt`, file)}>
            <Download aria-hidden className="svc-icon" />
            {texts.download}
          </Button>
          <CopyButton text={text}>{texts.copy}</CopyButton>
        </div>
        <p className="svc-small-text">{texts.toActivate}</p>
        <Button variant="primary" className="svc-start" onClick={onStored}>
          {texts.saved}
        </Button>
      </div>
      <RecoverySheet
        codes={codes}
        {...holder}
        date={new Date().toLocaleDateString(getRegionalLocale(language), { dateStyle: "long" })}
      />
    </>
  );
}

function ConfirmTypedCodes({
  codes,
  onActive,
  onBack,
}: {
  codes: Codes;
  onActive: () => void;
  onBack: () => void;
}) {
  const texts = useTexts();
  const [entered, setEntered] = useState(["", ""]);
  const [problems, setProblems] = useState<(string | null)[]>([null, null]);
  const refusal = useRefusal();
  const [failure, setFailure] = useState<React.ReactNode>(null);
  const [pending, start] = useTransition();
  const submit = (form: HTMLFormElement) => {
    const ownCodes = codes.map(readCode);
    const read = entered.map(readCode);
    const wrong = read.map((code, place) =>
      code !== null && ownCodes.includes(code) && code !== read[1 - place] ? null : texts.codes.differs,
    );
    setProblems(wrong);
    setFailure(null);
    const firstWrong = wrong.findIndex((problem) => problem !== null);
    if (firstWrong !== -1) return form.querySelectorAll("input")[firstWrong]?.focus();
    start(async () => {
      const result = await confirmCodes(entered);
      if (result.done) onActive();
      else setFailure(refusal(result));
    });
  };
  return (
    <form
      className="svc-stack svc-no-print"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <div>
        <FocusedHeading>{texts.codes.enterBoth}</FocusedHeading>
        <p className="svc-note">{texts.codes.enterBothText}</p>
      </div>
      {entered.map((value, place) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always two
          key={place}
          label={texts.codes.code(place + 1)}
          name={`code-${place + 1}`}
          value={value}
          maxLength={100}
          autoCapitalize="characters"
          error={problems[place]}
          className="svc-typed-code"
          onChange={(event) =>
            setEntered(entered.map((code, at) => (at === place ? event.target.value : code)))
          }
        />
      ))}
      <div className="svc-wrap">
        <Button type="submit" variant="primary" disabled={pending}>
          {pending ? texts.codes.activating : texts.codes.activate}
        </Button>
        <Button disabled={pending} onClick={onBack}>
          {texts.codes.showAgain}
        </Button>
      </div>
      <Problem>{failure}</Problem>
    </form>
  );
}

type RecoverySheetProps = CodeHolder & {
  codes: Codes;
  date: string;
};

/** A slip for each code, to be cut apart and stored in two places. Hidden on the screen. */
function RecoverySheet(props: RecoverySheetProps) {
  const { codes } = props;
  const texts = useTexts().codes;
  return (
    <div aria-hidden="true" className="svc-sheet">
      <Slip {...props} code={codes[0]} number={1} />
      <p className="svc-sheet-cut">{texts.cut}</p>
      <Slip {...props} code={codes[1]} number={2} />
    </div>
  );
}

function Slip({
  code,
  number,
  domain,
  origin,
  userId,
  date,
}: RecoverySheetProps & { code: string; number: number }) {
  const { codes } = useTexts();
  return (
    <section className="svc-slip">
      <div className="svc-apart">
        <p className="svc-title">{domain}</p>
        <p className="svc-note">{codes.slip(number)}</p>
      </div>
      <p className="svc-note">{codes.madeFor(userId, date)}</p>
      <p className="svc-slip-code">{code}</p>
      <p className="svc-small-text">{codes.slipText}</p>
      <ol className="svc-slip-steps">
        {codes.slipSteps(<span className="svc-strong">{`${origin}/recover`}</span>).map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change their order
          <li key={index}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
