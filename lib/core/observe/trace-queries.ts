import type pg from "pg";
import { tracing } from "./tracing.ts";
import { watchQueries } from "./watch-queries.ts";

const TEXT_KEPT_CHARACTERS = 500;

/**
 * Makes a span of every statement that a connection runs for a request or an event. Its name is the prepared
 * statement's, or the statement's first word; its text has placeholders where values go, and those are left out.
 */
export function traceQueries(client: pg.ClientBase): void {
  watchQueries(client, (statement) => {
    const { name, text } = readStatement(statement);
    const span = tracing()?.below(name || (/^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "query"), {
      kind: "CLIENT",
      attributes: {
        "db.system.name": "postgresql",
        ...(name
          ? { "db.stored_statement.name": name }
          : { "db.query.text": text.slice(0, TEXT_KEPT_CHARACTERS) }),
      },
    });
    if (!span) return undefined;
    return (error) => span.end(error ? codeOf(error) : undefined);
  });
}

function readStatement(statement: unknown): { name: string; text: string } {
  if (typeof statement === "string") return { name: "", text: statement };
  if (typeof statement !== "object" || statement === null) return { name: "", text: "" };
  const name = "name" in statement && typeof statement.name === "string" ? statement.name : "";
  const text = "text" in statement && typeof statement.text === "string" ? statement.text : "";
  return { name, text };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}
