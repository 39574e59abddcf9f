import type pg from "pg";

/** Is told how a statement ended: with what error, or with none. */
export type StatementEnd = (error: unknown) => void;

/** Calls `begin` before every statement that a connection runs, and what it returns when the statement has ended. */
export function watchQueries(
  client: pg.ClientBase,
  begin: (statement: unknown) => StatementEnd | undefined,
): void {
  // One method with a dozen overloads: a statement as text or object, its end told by promise or callback.
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const watched = (...args: unknown[]): unknown => {
    const end = begin(args[0]);
    if (!end) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === "function") {
      return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
        end(error);
        callback(error, ...rest);
      });
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => end(null), end);
    else end(null);
    return result;
  };
  client.query = watched as typeof client.query;
}
