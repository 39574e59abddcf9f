"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { CaseText, RunView } from "#lib/conformance-runs/messages.ts";
import { downloadReport, type Run } from "./use-run.ts";

/** What the run has come to so far, and its report. */
export function RunResult({
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
  const left = count("untried", "waiting", "asked");
  return (
    <Card aria-label="Result" className="grid gap-5">
      <header>
        <h2 ref={titleRef} tabIndex={-1} className="font-semibold text-title outline-none">
          {verdict(view, failures.length, left, count("skipped"))}
        </h2>
        <p className="mt-1 text-muted-foreground">
          {count("passed")} passed, {failures.length} failed, {count("skipped")} skipped, {left} not tried
          {count("impossible") > 0 && `, ${count("impossible")} not possible here`}.
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
                  href={`/docs/guides/conformance#${text?.check.replaceAll(".", "")}`}
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

function verdict({ reached }: RunView, failures: number, left: number, skipped: number): string {
  if (!reached) return "No wallet has answered yet";
  if (failures > 0) return failures === 1 ? "One case failed" : `${failures} cases failed`;
  if (left > 0) return "Nothing failed so far";
  return skipped > 0 ? "Nothing failed, but some cases were skipped" : "Your wallet passed";
}
