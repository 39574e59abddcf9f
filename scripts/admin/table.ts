import { visibleLine } from "#lib/terminal/visible-text.ts";

/**
 * Lines of cells as text, each column as wide as its widest cell; `empty` when there are none. Names are what tenants
 * have written: the operator's terminal obeys nothing of them.
 */
export function formatTable(cells: readonly (readonly string[])[], empty: string): string {
  const lines = cells.map((line) => line.map(visibleLine));
  const columns = Math.max(0, ...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return text.join("\n") || empty;
}
