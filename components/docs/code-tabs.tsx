"use client";

import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";

export type CodeTab = { name: string; sample: React.ReactNode };

/** Notifies every `CodeTabs` on a page when the reader selects a tab. `detail` is the selected tab's name. */
const SELECTED = "code-tab-selected";

/** The arrow keys select a tab. */
export function CodeTabs({ tabs }: { tabs: readonly CodeTab[] }) {
  const id = useId();
  const [selected, setSelected] = useState(0);
  useEffect(() => {
    const follow = (event: Event) => {
      const index = tabs.findIndex(({ name }) => event instanceof CustomEvent && name === event.detail);
      if (index >= 0) setSelected(index);
    };
    window.addEventListener(SELECTED, follow);
    return () => window.removeEventListener(SELECTED, follow);
  }, [tabs]);
  const select = (index: number) => {
    window.dispatchEvent(new CustomEvent(SELECTED, { detail: tabs[index]?.name }));
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (selected + step + tabs.length) % tabs.length;
    select(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return (
    <div className="mt-4">
      <div role="tablist" className="flex gap-4 print:hidden">
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === selected}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => select(index)}
            onKeyDown={move}
            className={joinClassNames(
              "min-h-11 border-b-2 px-1 text-sm",
              index === selected
                ? "border-primary font-semibold"
                : "border-transparent text-muted-foreground hover:text-foreground",
            )}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ name, sample }, index) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          className={joinClassNames("mt-2 print:block", index !== selected && "hidden")}
        >
          {sample}
        </div>
      ))}
    </div>
  );
}
