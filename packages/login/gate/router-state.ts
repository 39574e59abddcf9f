/** An upper limit: on every page, the router's state has fewer brackets. */
const BRACKETS = 1_024;

/**
 * Returns whether the framework can quickly parse the state that its router sends with a navigation. For any other
 * text, it would return 500. Parts that vary between versions of the framework are not checked.
 */
export function isRouterState(header: string): boolean {
  try {
    const text = decodeURIComponent(header);
    const brackets = text.match(/[[{]/g) ?? [];
    return brackets.length <= BRACKETS && isTree(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Returns true for a segment followed by the trees below it, keyed by the names of their slots. */
function isTree(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [segment, slots] = value;
  if (!isSegment(segment) || typeof slots !== "object" || slots === null || Array.isArray(slots))
    return false;
  return Object.values(slots).every(isTree);
}

/** Returns true for a string, or for a parameter's name, value and kind. */
function isSegment(value: unknown): boolean {
  if (typeof value === "string") return true;
  return (
    Array.isArray(value) && value.length > 2 && value.slice(0, 3).every((part) => typeof part === "string")
  );
}
