import type { Attributes, SpanKind } from "@opentelemetry/api";
import type pg from "pg";
import { watchQueries } from "#packages/login/database/time-limited-pool.ts";
import { processSingleton } from "#packages/login/process/state.ts";

/**
 * Creates spans for requests, their SQL statements, and outgoing events. Without OTEL_EXPORTER_OTLP_ENDPOINT, there are
 * no spans and `opentelemetry.ts` is not loaded. A span contains only what the callers add, so never a sid, query, body
 * or header. Libraries are not patched, and Next.js's own spans, which contain full URLs, are not collected.
 */

export type OpenSpan = {
  set(attributes: Attributes): void;
  /** If the work failed, records the error's code (a status or SQLSTATE), and never the error's text. */
  end(errorType?: string): void;
};

export type SpanOptions = {
  kind: keyof typeof SpanKind;
  attributes: Attributes;
  /** A trusted caller's `traceparent` header. The span continues that trace. */
  traceparent?: string | undefined;
};

export type Tracing = {
  /** `work` must end the new span. */
  within<Value>(name: string, options: SpanOptions, work: (span: OpenSpan) => Value): Value;
  /** A child of the current span. Null if there is none. */
  below(name: string, options: SpanOptions): OpenSpan | null;
  traceId(): string | null;
};

const holder = processSingleton<{ tracing: Tracing | null }>("tracing", () => ({ tracing: null }));

/** Null if tracing is not configured. */
export function getTracing(): Tracing | null {
  return holder().tracing;
}

/** Called once, at startup. */
export function setTracing(value: Tracing): void {
  holder().tracing = value;
}

const MAX_TEXT_CHARACTERS = 500;

/**
 * Traces every statement that a connection runs for a request or event. The span's name is the prepared statement's
 * name, or the statement's first word. The statement's text contains placeholders instead of values.
 */
export function traceQueries(client: pg.ClientBase): void {
  watchQueries(client, (statement) => {
    const { name, text } = readStatement(statement);
    const span = getTracing()?.below(name || (/^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "query"), {
      kind: "CLIENT",
      attributes: {
        "db.system.name": "postgresql",
        ...(name
          ? { "db.stored_statement.name": name }
          : { "db.query.text": text.slice(0, MAX_TEXT_CHARACTERS) }),
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
