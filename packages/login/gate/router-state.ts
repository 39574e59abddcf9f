const BRACKETS = 1_024;

/**
 * Accepts only states that the framework can parse quickly. For any other state, it would return 500. The parts that
 * vary between versions of the framework are not checked.
 */
export function isValidRouterState(header: string): boolean {
  try {
    const text = decodeURIComponent(header);
    const brackets = text.match(/[[{]/g) ?? [];
    return brackets.length <= BRACKETS && isTree(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A segment, and an object with the trees below it, keyed by slot name. */
function isTree(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [segment, slots] = value;
  if (!isSegment(segment) || typeof slots !== "object" || slots === null || Array.isArray(slots))
    return false;
  return Object.values(slots).every(isTree);
}

/** A string, or a parameter's name, value and kind. */
function isSegment(value: unknown): boolean {
  if (typeof value === "string") return true;
  return (
    Array.isArray(value) && value.length > 2 && value.slice(0, 3).every((part) => typeof part === "string")
  );
}
