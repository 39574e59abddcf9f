import type { PairedRatio } from "./measure.ts";

/** The first column is aligned left, the others right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** Three significant digits, or a dash if nothing was measured. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function formatPercent(share: number | null | undefined): string {
  return share === null || share === undefined || !Number.isFinite(share)
    ? "–"
    : `${(share * 100).toFixed(0)} %`;
}

/** With the quartiles, `0.93× (0.91–0.95)`, or a dash if nothing was measured. */
export function formatRatio(pairedRatio: PairedRatio): string {
  if (pairedRatio === null) return "–";
  const [middle, low, high] = [pairedRatio.median, pairedRatio.low, pairedRatio.high].map((value) =>
    value.toFixed(2),
  );
  return `${middle}× (${low}–${high})`;
}
