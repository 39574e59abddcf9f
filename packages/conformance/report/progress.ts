/** How often progress is written if stderr is not a terminal. */
const EVERY_MS = 10_000;

/** Shows progress on stderr: on a terminal one line that changes, elsewhere a line now and then. */
export function showProgress(total: number) {
  const { stderr } = process;
  let shownAt = Date.now();
  return {
    show(done: number, running: string[]): void {
      const names =
        running.slice(0, 3).join(", ") + (running.length > 3 ? ` and ${running.length - 3} more` : "");
      const line = `${done} of ${total} checks · ${names}`;
      if (stderr.isTTY) {
        stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
      } else if (Date.now() - shownAt >= EVERY_MS) {
        shownAt = Date.now();
        stderr.write(`${line}\n`);
      }
    },
    end(): void {
      if (stderr.isTTY) stderr.write("\r\u001b[2K");
    },
  };
}
