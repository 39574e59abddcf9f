/** More than any of our pages needs. */
const STATES_LIMIT = 64;

const PARAM_KINDS = [
  "c",
  "ci(..)(..)",
  "ci(.)",
  "ci(..)",
  "ci(...)",
  "oc",
  "d",
  "di(..)(..)",
  "di(.)",
  "di(..)",
  "di(...)",
];
const REFETCHES = ["refetch", "inside-shared-layout", "metadata-only"];

/**
 * Whether a `Next-Router-State-Tree` header is one that the framework's router in a browser sends with a navigation.
 * The framework answers 500 to anything else, and takes long over a large or deep tree.
 */
export function isRouterState(header: string): boolean {
  try {
    return isState(JSON.parse(decodeURIComponent(header)), { left: STATES_LIMIT });
  } catch {
    return false;
  }
}

// [segment, {name: state}, [url, search]?, refetch?, number?, text?], as the framework's own schema has it.
function isState(value: unknown, states: { left: number }): boolean {
  if (--states.left < 0 || !Array.isArray(value) || value.length > 6) return false;
  const [segment, children, url, refetch, hints, text] = value;
  return (
    (isText(segment) || isParam(segment)) &&
    typeof children === "object" &&
    children !== null &&
    Object.values(children).every((child) => isState(child, states)) &&
    (url == null || (isTexts(url) && url.length === 2)) &&
    (refetch == null || REFETCHES.includes(refetch)) &&
    (hints == null || typeof hints === "number") &&
    (text === undefined || isText(text))
  );
}

function isParam(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [name, key, kind, siblings] = value;
  return (
    isText(name) && isText(key) && PARAM_KINDS.includes(kind) && (siblings === null || isTexts(siblings))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
