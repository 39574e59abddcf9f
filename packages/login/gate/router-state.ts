/** More brackets than the router's state has on any page. */
const BRACKETS = 1_024;

/**
 * Whether the framework can read the state that its router sends with a navigation, in a short time; otherwise it
 * answers 500. Parts that only the framework reads, and that vary between its versions, are not checked.
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

/** A segment, and the trees below it by the names of their slots. */
function isTree(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [segment, slots] = value;
  if (!isSegment(segment) || typeof slots !== "object" || slots === null || Array.isArray(slots))
    return false;
  return Object.values(slots).every(isTree);
}

/** Text, or a parameter's name, value and kind. */
function isSegment(value: unknown): boolean {
  if (typeof value === "string") return true;
  return (
    Array.isArray(value) && value.length > 2 && value.slice(0, 3).every((part) => typeof part === "string")
  );
}
