/** Numbered steps beside the panel. */
export function StepList({ steps }: { steps: React.ReactNode[] }) {
  return (
    <ol className="grid gap-4">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change their order
        <li key={index} className="flex gap-3">
          <span
            aria-hidden="true"
            className="flex size-7 shrink-0 items-center justify-center rounded-base border bg-card font-semibold text-sm tabular-nums"
          >
            {index + 1}
          </span>
          <span className="pt-0.5">{step}</span>
        </li>
      ))}
    </ol>
  );
}
