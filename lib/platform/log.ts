import pino from "pino";
import { processSingleton } from "#packages/login/process/state.ts";
import { env } from "./env.ts";
import { tracing } from "./observe/tracing.ts";

/**
 * Lines are written in batches of this size, or at this interval. A killed process loses the lines that have not been
 * written yet.
 */
const WRITTEN_BYTES = 8 * 1024;
const WRITTEN_MS = 100;

/**
 * Structured log on stdout. Call sites must not log keys, secrets, cookies, signatures or full sids. Fields with these
 * names are also censored here.
 */
export const log = processSingleton("log", () =>
  pino(
    {
      level: env().LOG_LEVEL,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ["sid", "cookie", "authorization", "signature", "secret", "key", "token"].flatMap((name) => [
          name,
          `error.${name}`,
        ]),
        censor: "[redacted]",
      },
      serializers: { error: pino.stdSerializers.err },
      ...(env().OTEL_EXPORTER_OTLP_ENDPOINT && { mixin: traceOf }),
    },
    // Another thread writes the lines, and waking it for every line would cost more than the line itself.
    pino.destination({ minLength: WRITTEN_BYTES, periodicFlush: WRITTEN_MS }),
  ),
);

function traceOf(): { traceId?: string } {
  const traceId = tracing()?.traceId();
  return traceId ? { traceId } : {};
}

/** Returns the first characters of a sid: enough to follow a login in the log, too few to use it. */
export function shortSid(sid: string): string {
  return `${sid.slice(0, 6)}…`;
}
