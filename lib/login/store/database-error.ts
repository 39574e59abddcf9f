/** True when a unique index refused a row: somebody else was first. */
export function isUniqueViolation(error: unknown): boolean {
  return errorChain(error).some(
    ({ code, message }) => /^(23505|P2002)$/.test(code) || /\b23505\b/.test(message),
  );
}

/** Runs a statement that creates a row for a key, and once more if another request has just created it. */
export async function againOnUniqueViolation<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return run();
  }
}

/** An error with what it wraps: Prisma wraps the driver's more than once and keeps its code in different places. */
export function errorChain(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < 20) {
    const item = queue.shift();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
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
