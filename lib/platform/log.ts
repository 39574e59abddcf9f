import pino from "pino";
import { processSingleton } from "#packages/login/process/state.ts";
import { env } from "./env.ts";
import { tracing } from "./observe/tracing.ts";

/** Lines are written this many bytes at a time, or this often. A killed process loses those not yet written. */
const WRITTEN_BYTES = 8 * 1024;
const WRITTEN_MS = 100;

/**
 * Structured log on stdout. Call sites keep keys, secrets, cookies, signatures and full sids out of it; fields of
 * these names are censored here as well.
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
    // Another thread writes them, and waking it for every line costs more than the line itself.
    pino.destination({ minLength: WRITTEN_BYTES, periodicFlush: WRITTEN_MS }),
  ),
);

function traceOf(): { traceId?: string } {
  const traceId = tracing()?.traceId();
  return traceId ? { traceId } : {};
}

/** The first characters of a sid: enough to follow a login in the log, too few to use it. */
export function shortSid(sid: string): string {
  return `${sid.slice(0, 6)}…`;
}
