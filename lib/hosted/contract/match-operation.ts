import type { Operation } from "./operation.ts";

/**
 * The values of an operation's path parameters in `pathname`, decoded, or null when it does not name this path.
 * @param pathname below the base path, its percent-encoding valid
 */
export function matchOperationPath(
  { path }: Pick<Operation, "path">,
  pathname: string,
): Record<string, string> | null {
  const names = path.split("/");
  const segments = pathname.split("/");
  if (names.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? "";
    if (name.startsWith(":") && segment !== "") params[name.slice(1)] = decodeURIComponent(segment);
    else if (name !== segment) return null;
  }
  return params;
}
