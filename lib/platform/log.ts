import pino from "pino";
import { processSingleton } from "#packages/login/process/state.ts";
import { env } from "./env.ts";
import { getTracing } from "./observe/tracing.ts";

/**
 * Log lines are written in batches of this size, or at this interval. A process that is killed loses its unwritten
 * lines.
 */
const WRITTEN_BYTES = 8 * 1024;
const WRITTEN_MS = 100;

/**
 * Callers must not log keys, secrets, cookies, signatures or complete sids. Fields with such names are also censored.
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
    // Another thread writes the lines. Waking that thread for each line would cost more than writing the line.
    pino.destination({ minLength: WRITTEN_BYTES, periodicFlush: WRITTEN_MS }),
  ),
);

function traceOf(): { traceId?: string } {
  const traceId = getTracing()?.traceId();
  return traceId ? { traceId } : {};
}

/** Enough to follow a login in the log, but not enough to use the login. */
export function abbreviateSid(sid: string): string {
  return `${sid.slice(0, 6)}…`;
}
