import type { Attributes, SpanKind } from "@opentelemetry/api";
import type pg from "pg";
import { watchQueries } from "#packages/login/database/time-limited-pool.ts";
import { processSingleton } from "#packages/login/process/state.ts";

/**
 * Spans for the process's work: requests, their statements, and outgoing events. Without OTEL_EXPORTER_OTLP_ENDPOINT,
 * none are created and `opentelemetry.ts` is not loaded.
 *
 * A span contains only what the call sites add. Libraries are not patched, and the framework's own spans, which contain
 * full URLs, are not collected. So spans never contain a sid, query, body or header.
 */

/** A span that was started. */
export type OpenSpan = {
  set(attributes: Attributes): void;
  /** Ends the span. If the work failed, records an error's code (a status, an SQLSTATE), never its text. */
  end(errorType?: string): void;
};

export type SpanOptions = {
  kind: keyof typeof SpanKind;
  attributes: Attributes;
  /** A trusted caller's `traceparent` header, whose trace the span continues. */
  traceparent?: string | undefined;
};

export type Tracing = {
  /** Runs `work` in a separate span, which `work` must end. */
  within<Value>(name: string, options: SpanOptions, work: (span: OpenSpan) => Value): Value;
  /** Starts a child span of the current one. Returns null if there is none. */
  below(name: string, options: SpanOptions): OpenSpan | null;
  /** The trace that this code runs in, or null. */
  traceId(): string | null;
};

const holder = processSingleton<{ tracing: Tracing | null }>("tracing", () => ({ tracing: null }));

/** Returns the process's tracing, or null if it is not configured. */
export function tracing(): Tracing | null {
  return holder().tracing;
}

/** Sets the process's tracing. Called once, at start. */
export function provideTracing(value: Tracing): void {
  holder().tracing = value;
}

const MAX_TEXT_CHARACTERS = 500;

/**
 * Creates a span for every statement that a connection runs for a request or an event. The span's name is the prepared
 * statement's name, or the statement's first word. The statement's text contains placeholders instead of values.
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
