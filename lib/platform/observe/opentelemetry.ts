import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { onStopped } from "#packages/login/process/state.ts";
import type { OpenSpan, Tracing } from "./tracing.ts";

/**
 * The exporter reads the standard OpenTelemetry variables (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, …).
 * The tracer is not registered globally: Next.js would otherwise add its own spans, which contain full URLs.
 * @param settings.sampled the fraction of traces to keep, from 0 to 1; a trusted caller's decision takes precedence
 */
export function createOpenTelemetryTracing(settings: { serviceName: string; sampled: number }): Tracing {
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ "service.name": settings.serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampled) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  onStopped(() => provider.shutdown());
  const tracer = provider.getTracer("svc-login");
  const contexts = new AsyncLocalStorage<Context>();
  return {
    within(name, { kind, attributes, traceparent }, work) {
      const remote = readTraceparent(traceparent);
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind[kind], attributes }, parent);
      return contexts.run(trace.setSpan(parent, span), () => work(open(span)));
    },
    below(name, { kind, attributes }) {
      const context = contexts.getStore();
      return context ? open(tracer.startSpan(name, { kind: SpanKind[kind], attributes }, context)) : null;
    },
    traceId() {
      const context = contexts.getStore();
      return (context && trace.getSpanContext(context)?.traceId) ?? null;
    },
  };
}

function open(span: Span): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    end(errorType) {
      if (errorType !== undefined) {
        span.setAttribute("error.type", errorType).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** W3C Trace Context, 3.2. Null if the header is not valid. */
function readTraceparent(header: string | undefined): SpanContext | null {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? "") ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : null;
}
