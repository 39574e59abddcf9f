"use client";

import { type CodeHolder, confirmCodes, readCode } from "@svc/login/recovery";
import { useState, useTransition } from "react";
import { useRefusal } from "../approval/approval-provider.tsx";
import { Button, FocusedHeading } from "../ui/button.tsx";
import { CopyButton, saveFile } from "../ui/copy-button.tsx";
import { Problem } from "../ui/elements.tsx";
import { Download, Printer } from "../ui/icons.tsx";
import { TextField } from "../ui/text-field.tsx";
import { readersLocale } from "../ui/time.tsx";
import { useWords } from "../words/words.tsx";

type Codes = readonly [string, string];

/** Shows new codes once and has them typed back: only then do they work. */
export function NewCodes({
  codes,
  holder,
  onActive,
}: {
  codes: Codes;
  holder: CodeHolder;
  onActive: () => void;
}) {
  const [kept, setKept] = useState(false);
  return kept ? (
    <TypeBack codes={codes} onActive={onActive} onBack={() => setKept(false)} />
  ) : (
    <ShowCodes codes={codes} holder={holder} onKept={() => setKept(true)} />
  );
}

function ShowCodes({ codes, holder, onKept }: { codes: Codes; holder: CodeHolder; onKept: () => void }) {
  const { codes: words, language } = useWords();
  const address = `${holder.origin}/recover`;
  const text = words.file({ ...holder, codes, address, date: new Date().toISOString().slice(0, 10) });
  const file = new Blob([text], { type: "text/plain" });
  return (
    <>
      <div className="grid gap-4 print:hidden">
        <div>
          <FocusedHeading className="text-base">{words.keep}</FocusedHeading>
          <p className="text-muted-foreground text-sm">{words.keepText}</p>
        </div>
        <ol className="grid gap-3" aria-label={words.yours}>
          {codes.map((code, place) => (
            <li key={code} className="rounded-base border bg-muted p-4">
              <span className="block text-muted-foreground text-sm">{words.code(place + 1)}</span>
              <code className="font-mono font-semibold">{code}</code>
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => window.print()}>
            <Printer aria-hidden className="size-4 shrink-0" />
            {words.print}
          </Button>
          <Button onClick={() => saveFile(`recovery-codes-${holder.domain}.txt`, file)}>
            <Download aria-hidden className="size-4 shrink-0" />
            {words.download}
          </Button>
          <CopyButton text={text}>{words.copy}</CopyButton>
        </div>
        <p className="text-sm">{words.toActivate}</p>
        <Button variant="primary" className="justify-self-start" onClick={onKept}>
          {words.saved}
        </Button>
      </div>
      <RecoverySheet
        codes={codes}
        {...holder}
        date={new Date().toLocaleDateString(readersLocale(language), { dateStyle: "long" })}
      />
    </>
  );
}

function TypeBack({ codes, onActive, onBack }: { codes: Codes; onActive: () => void; onBack: () => void }) {
  const words = useWords();
  const [typed, setTyped] = useState(["", ""]);
  const [problems, setProblems] = useState<(string | null)[]>([null, null]);
  const refusal = useRefusal();
  const [failure, setFailure] = useState<React.ReactNode>(null);
  const [pending, start] = useTransition();
  const submit = (form: HTMLFormElement) => {
    const own = codes.map(readCode);
    const read = typed.map(readCode);
    const wrong = read.map((code, place) =>
      code !== null && own.includes(code) && code !== read[1 - place] ? null : words.codes.differs,
    );
    setProblems(wrong);
    setFailure(null);
    const firstWrong = wrong.findIndex((each) => each !== null);
    if (firstWrong !== -1) return form.querySelectorAll("input")[firstWrong]?.focus();
    start(async () => {
      const result = await confirmCodes(typed);
      if (result.done) onActive();
      else setFailure(refusal(result));
    });
  };
  return (
    <form
      className="grid gap-4 print:hidden"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <div>
        <FocusedHeading className="text-base">{words.codes.enterBoth}</FocusedHeading>
        <p className="text-muted-foreground text-sm">{words.codes.enterBothText}</p>
      </div>
      {typed.map((value, place) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: there are two, always
          key={place}
          label={words.codes.code(place + 1)}
          name={`code-${place + 1}`}
          value={value}
          maxLength={100}
          autoCapitalize="characters"
          error={problems[place]}
          className="[&_input]:font-mono"
          onChange={(event) => setTyped(typed.map((code, at) => (at === place ? event.target.value : code)))}
        />
      ))}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={pending}>
          {pending ? words.codes.activating : words.codes.activate}
        </Button>
        <Button disabled={pending} onClick={onBack}>
          {words.codes.showAgain}
        </Button>
      </div>
      <Problem>{failure}</Problem>
    </form>
  );
}

type RecoverySheetProps = CodeHolder & {
  codes: Codes;
  /** The date in words. */
  date: string;
};

/** The sheet that is printed: a slip for each code, to be cut apart and kept in two places. Hidden on the screen. */
function RecoverySheet(props: RecoverySheetProps) {
  const { codes } = props;
  const words = useWords().codes;
  return (
    <div aria-hidden="true" className="hidden print:block">
      <Slip {...props} code={codes[0]} number={1} />
      <p className="my-6 border-t border-dashed pt-1 text-center text-muted-foreground text-sm">
        {words.cut}
      </p>
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
  const { codes } = useWords();
  return (
    <section className="break-inside-avoid rounded-base border p-6">
      <div className="flex items-baseline justify-between gap-6">
        <p className="font-semibold text-title">{domain}</p>
        <p className="text-muted-foreground text-sm">{codes.slip(number)}</p>
      </div>
      <p className="text-muted-foreground text-sm">{codes.madeFor(userId, date)}</p>
      <p className="my-5 whitespace-nowrap rounded-base border p-4 text-center font-mono font-semibold text-title tracking-wide">
        {code}
      </p>
      <p className="text-sm">{codes.slipText}</p>
      <ol className="mt-3 list-inside list-decimal text-sm">
        {codes.slipSteps(<span className="font-semibold">{`${origin}/recover`}</span>).map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change their order
          <li key={index}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
