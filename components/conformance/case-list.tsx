import type { CaseState, CaseText, RunView } from "#lib/conformance-runs/messages.ts";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { CircleCheck, CircleDashed, CircleMinus, CircleX, Hourglass } from "#packages/react/ui/icons.tsx";

const QUIET = "text-muted-foreground";

const STATES: Record<CaseState, { word: string; Icon: typeof CircleX; className: string }> = {
  untried: { word: "not tried yet", Icon: CircleDashed, className: QUIET },
  waiting: { word: "waiting", Icon: Hourglass, className: "text-primary" },
  asked: { word: "waiting for your report", Icon: Hourglass, className: "text-primary" },
  passed: { word: "passed", Icon: CircleCheck, className: "text-success" },
  failed: { word: "failed", Icon: CircleX, className: "text-danger" },
  skipped: { word: "skipped", Icon: CircleMinus, className: QUIET },
  impossible: { word: "not possible here", Icon: CircleMinus, className: QUIET },
};

/** Once a wallet has answered the first case, the user can select any case. */
export function CaseList({
  cases,
  count,
  view,
  chosen,
  choose,
  actions,
}: {
  cases: CaseText[];
  /** The number of cases that this site can show. */
  count: number;
  view: RunView;
  chosen: string | null;
  choose: (id: string) => void;
  actions: React.ReactNode;
}) {
  const finishedCount = view.cases.filter(({ state }) => /^(passed|failed|skipped)$/.test(state)).length;
  return (
    <nav aria-label="Cases" className="grid min-w-0 gap-3">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">{`${finishedCount} of ${count} done`}</p>
        {actions}
      </div>
      {!view.reached && (
        <p className="text-muted-foreground text-sm">
          The other cases are unlocked once your wallet has answered the first.
        </p>
      )}
      <ol className="overflow-hidden rounded-base border bg-card">
        {cases.map(({ id, title }, index) => {
          const state = view.cases.find((one) => one.id === id)?.state ?? "untried";
          const { word, Icon, className } = STATES[state];
          return (
            <li key={id} className="not-first:border-t">
              <button
                type="button"
                aria-current={id === chosen ? "step" : undefined}
                disabled={state === "impossible" || (!view.reached && index > 0)}
                onClick={() => choose(id)}
                className="flex min-h-11 w-full items-center gap-3 px-3 py-2 text-left text-sm hover:not-disabled:bg-muted focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:text-muted-foreground aria-[current]:bg-muted aria-[current]:font-semibold"
              >
                <Icon aria-hidden className={joinClassNames("size-4 shrink-0", className)} />
                <span className="min-w-0 grow">{title}</span>
                <span className="sr-only">, {word}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
