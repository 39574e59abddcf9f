/** The database did not respond in time, or no connection became free in time. A later response is ignored. */
export class DatabaseTimeoutError extends Error {
  override name = "DatabaseTimeoutError";
  readonly code = "ETIMEDOUT";

  constructor() {
    super("the database gave no answer in time");
  }
}

/**
 * Whatever the driver's error says, the database counts as unreachable, because it was reachable when the process
 * started.
 */
export class DatabaseUnreachableError extends Error {
  override name = "DatabaseUnreachableError";
  readonly code = "DATABASE_UNREACHABLE";

  constructor(cause: Error) {
    super(`no connection to the database: ${cause.message}`, { cause });
  }
}

// SQLSTATEs that mean "not now" rather than "invalid": connection errors (08), exhausted resources (53), shutdowns
// (57P), cancelled statements (57014), a read-only server (25006), unavailable locks (55P03), and a refused role or
// database (28, 3D000), because PostgreSQL accepted both when the process started.
const UNAVAILABLE_STATES = /^(08...|28...|3D000|53...|57P0[1-5]|57014|25006|55P03)$/;
const UNAVAILABLE_ERRORS =
  /^(DATABASE_UNREACHABLE|ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTDOWN|EHOSTUNREACH|ENETDOWN|ENETUNREACH|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|P1000|P1001|P1002|P1003|P1008|P1010|P1017|P2024|P2028|P2037)$/;
const UNAVAILABLE_TEXT =
  /timeout expired|timeout exceeded when trying to connect|Query read timeout|Connection terminated|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|Can't reach database|not currently accepting connections|the database system is (starting up|shutting down)|Cannot use a pool after calling end|is not queryable/;

/** Such errors are answered with 503 instead of 500. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return errorChain(error).some(
    ({ code, message }) =>
      UNAVAILABLE_STATES.test(code) || UNAVAILABLE_ERRORS.test(code) || UNAVAILABLE_TEXT.test(message),
  );
}

export function isUniqueViolation(error: unknown): boolean {
  return errorChain(error).some(
    ({ code, message }) => /^(23505|P2002)$/.test(code) || /\b23505\b/.test(message),
  );
}

export function isForeignKeyViolation(error: unknown): boolean {
  return errorChain(error).some(
    ({ code, message }) => /^(23503|P2003)$/.test(code) || /\b23503\b/.test(message),
  );
}

export function isDeadlock(error: unknown): boolean {
  return errorChain(error).some(({ code }) => /^(40P01|P2034)$/.test(code));
}

/** Prisma wraps the driver's error more than once, and the error code is not always in the same place. */
function errorChain(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  const seenErrors = new Set<unknown>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < 20) {
    const item = queue.shift();
    if (typeof item !== "object" || item === null || seenErrors.has(item)) continue;
    seenErrors.add(item);
    const fields: Record<string, unknown> = { ...item };
    const text = item instanceof Error ? item.message : fields.message;
    for (const code of [fields.code, fields.originalCode, fields.kind]) {
      chain.push({ code: String(code ?? ""), message: String(text ?? "") });
    }
    const cause = item instanceof Error ? item.cause : undefined;
    queue.push(cause, fields.cause, fields.meta, fields.driverAdapterError, fields.originalError);
  }
  return chain;
}
