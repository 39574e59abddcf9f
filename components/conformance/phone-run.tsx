"use client";

import { useEffect, useRef, useState, useTransition } from "react";
import type { CaseText, RunView } from "#lib/conformance-runs/messages.ts";
import { StepList } from "#packages/react/login/login-screen.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { Card, Notice, TextLink } from "#packages/react/ui/elements.tsx";
import { CaseCard } from "./case-card.tsx";
import { CaseList } from "./case-list.tsx";
import { downloadReport, type Run, useRun } from "./use-run.ts";

type Site = { demoWallet: boolean; isLocal: boolean };

export function PhoneRun({ cases, site }: { cases: CaseText[]; site: Site }) {
  const run = useRun();
  const { secret, view, trouble } = run;
  if (secret === null) return <RunIntro count={cases.length} isLocal={site.isLocal} run={run} />;
  if (trouble === "over") return <RunOver run={run} />;
  if (!view) {
    return (
      <Card aria-busy={trouble === null}>
        <p role="status">{trouble === null ? "Loading the run…" : troubleText(trouble)}</p>
      </Card>
    );
  }
  return <RunningRun {...{ cases, site, run, view }} />;
}

function RunningRun({ cases, site, run, view }: { cases: CaseText[]; site: Site; run: Run; view: RunView }) {
  const stateOf = (id: string) => view.cases.find((one) => one.id === id);
  const isOpen = (id: string) => /^(untried|waiting|asked)$/.test(stateOf(id)?.state ?? "");
  const [chosen, setChosen] = useState<string | null>(() => cases.find(({ id }) => isOpen(id))?.id ?? null);
  const title = useRef<HTMLHeadingElement>(null);
  // Moves the focus to the next case's title, which screen readers then read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another case is chosen
  useEffect(() => title.current?.focus(), [chosen]);

  const choose = (id: string | null) => {
    run.hide();
    setChosen(id);
  };
  const next = () => {
    const at = cases.findIndex(({ id }) => id === chosen);
    const after = [...cases.slice(at + 1), ...cases.slice(0, at)];
    choose(after.find(({ id }) => isOpen(id))?.id ?? null);
  };
  const text = cases.find(({ id }) => id === chosen);
  const possible = cases.filter(({ id }) => stateOf(id)?.state !== "impossible");
  const state = text && stateOf(text.id);
  return (
    <div className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
      <div className="grid min-w-0 gap-4">
        {run.trouble && (
          <Notice tone="warning" role="status">
            {troubleText(run.trouble)}
          </Notice>
        )}
        {text && state ? (
          <CaseCard
            // Resets the component's state for each case.
            key={text.id}
            {...{ text, state, run, site, next }}
            titleRef={title}
            number={possible.indexOf(text) + 1}
            count={possible.length}
          />
        ) : (
          <RunResult {...{ cases, view, run }} titleRef={title} />
        )}
      </div>
      <CaseList
        {...{ cases, view, chosen, choose }}
        count={possible.length}
        actions={
          text && (
            <Button size="small" onClick={() => choose(null)}>
              See the result
            </Button>
          )
        }
      />
    </div>
  );
}

function RunOver({ run }: { run: Run }) {
  return (
    <Card className="grid max-w-xl justify-items-start gap-4">
      <h2 className="font-semibold">This run has ended</h2>
      <p className="text-muted-foreground">
        A run lasts for an hour, and is available only in the tab that started it. The cases and answers of
        this run have been deleted.
      </p>
      <Button variant="primary" onClick={run.leave}>
        Start a new run
      </Button>
    </Card>
  );
}

function troubleText(trouble: string): string {
  return trouble === "unreachable"
    ? "No connection to this site. Your wallet’s answers are still being recorded."
    : trouble;
}

function RunIntro({ count, isLocal, run }: { count: number; isLocal: boolean; run: Run }) {
  const [pending, start] = useTransition();
  return (
    <div className="grid gap-8 md:grid-cols-2">
      <Card className="grid content-start gap-5" aria-label="Start">
        <h2 className="font-semibold">What you need</h2>
        <p>
          A phone with the wallet, this page on another screen, and about ten minutes. Use a wallet that is
          only for testing.
        </p>
        {isLocal && (
          <Notice tone="warning">
            This site runs on localhost, so only a wallet on this machine can answer. To test a phone, open
            this page on a public host name over HTTPS.
          </Notice>
        )}
        {typeof run.trouble === "string" && (
          <Notice tone="danger" role="status">
            {run.trouble === "unreachable" ? "We cannot reach the site. Try again." : run.trouble}
          </Notice>
        )}
        <Button
          variant="primary"
          className="justify-self-start"
          disabled={pending}
          onClick={() => start(run.start)}
        >
          {pending ? "Starting…" : "Start"}
        </Button>
        <p className="text-muted-foreground text-sm">
          A run does not sign anyone in and does not create accounts. It is stored for an hour, without keys
          or signatures.
        </p>
      </Card>
      <div className="grid content-start gap-6">
        <h2 className="font-semibold">What happens</h2>
        <StepList
          steps={[
            "You scan a correct code. Your wallet’s answer shows that it can reach this site. Without that answer, silence in the other cases would not prove anything.",
            `Then this page acts as a hostile site in up to ${count} cases. You scan each code, and say what your wallet did.`,
            "We check what arrives. If your wallet answers a code that it should refuse, the case fails.",
            "You get a report: one page to read, and JSON for your build.",
          ]}
        />
        <p className="text-muted-foreground text-sm">
          A command-line wallet can be tested without scanning, and in more cases.{" "}
          <TextLink href="/docs/guides/conformance">The guide</TextLink> explains how.
        </p>
      </div>
    </div>
  );
}

function RunResult({
  cases,
  view,
  run,
  titleRef,
}: {
  cases: CaseText[];
  view: RunView;
  run: Run;
  titleRef: React.Ref<HTMLHeadingElement>;
}) {
  const [failed, setFailed] = useState(false);
  const [pending, start] = useTransition();
  const count = (...states: string[]) => view.cases.filter(({ state }) => states.includes(state)).length;
  const download = (format: "html" | "json") =>
    start(async () => setFailed(!(await downloadReport(run.secret ?? "", format))));
  const failures = view.cases.filter(({ state }) => state === "failed");
  const remaining = count("untried", "waiting", "asked");
  return (
    <Card aria-label="Result" className="grid gap-5">
      <header>
        <h2 ref={titleRef} tabIndex={-1} className="font-semibold text-title outline-none">
          {verdict(view, failures.length, remaining, count("skipped"))}
        </h2>
        <p className="mt-1 text-muted-foreground">
          {[
            `${count("passed")} passed, ${failures.length} failed, ${count("skipped")} skipped, ${remaining} not tried`,
            ...(count("impossible") > 0 ? [`${count("impossible")} not possible here`] : []),
          ].join(", ")}
        </p>
      </header>
      {failures.length > 0 && (
        <ul className="grid gap-3">
          {failures.map(({ id, message }) => {
            const text = cases.find((one) => one.id === id);
            return (
              <li key={id} className="rounded-base border p-3 text-sm">
                <p className="font-semibold text-danger">{text?.title}</p>
                <p className="wrap-anywhere">{message}</p>
                <TextLink
                  href={`/docs/guides/conformance-wallet#${text?.check.replaceAll(".", "")}`}
                  target="_blank"
                >
                  What to do
                </TextLink>
              </li>
            );
          })}
        </ul>
      )}
      {failed && (
        <Notice tone="danger" role="status">
          The report could not be loaded. Try again.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button variant="primary" disabled={pending} onClick={() => download("html")}>
          Download the report
        </Button>
        <Button disabled={pending} onClick={() => download("json")}>
          Download JSON
        </Button>
        <Button variant="quiet" onClick={run.leave}>
          Start a new run
        </Button>
      </div>
    </Card>
  );
}

function verdict({ reached }: RunView, failures: number, remaining: number, skipped: number): string {
  if (!reached) return "No wallet has answered yet";
  if (failures > 0) return failures === 1 ? "One case failed" : `${failures} cases failed`;
  if (remaining > 0) return "No failures so far";
  return skipped > 0 ? "Nothing failed, but some cases were skipped" : "Your wallet passed";
}
