import type { Attributes, SpanKind } from "@opentelemetry/api";
import { processSingleton } from "../process-singleton.ts";

/**
 * Spans of the process's work: requests, their statements, outgoing events. Without OTEL_EXPORTER_OTLP_ENDPOINT
 * nothing makes them, and `opentelemetry.ts` is not even loaded.
 *
 * A span holds what the call sites put into it. No library is patched, and the framework's own spans, which carry
 * whole URLs, are not collected. So no span holds a sid, query, body or header.
 */

/** A span that was started. */
export type OpenSpan = {
  set(attributes: Attributes): void;
  /** Ends it; with an error's code (a status, an SQLSTATE), never its text, when the work failed. */
  end(errorType?: string): void;
};

export type SpanOptions = {
  kind: keyof typeof SpanKind;
  attributes: Attributes;
  /** A `traceparent` header of somebody who is trusted: the trace that the span goes on with. */
  traceparent?: string | undefined;
};

export type Tracing = {
  /** Runs `work` in a span of its own, which `work` has to end. */
  within<Value>(name: string, options: SpanOptions, work: (span: OpenSpan) => Value): Value;
  /** Starts a span below the one that this code runs in; null when it runs in none. */
  below(name: string, options: SpanOptions): OpenSpan | null;
  /** The trace that this code runs in, or null. */
  traceId(): string | null;
};

const holder = processSingleton<{ tracing: Tracing | null }>("tracing", () => ({ tracing: null }));

/** The process's tracing, or null where it is not configured. */
export function tracing(): Tracing | null {
  return holder().tracing;
}

/** Sets what makes spans; called once, at start. */
export function provideTracing(value: Tracing): void {
  holder().tracing = value;
}
