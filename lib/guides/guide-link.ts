import { posix } from "node:path";

/** The page of the application that shows a file of docs/: "/docs/guides/api" for "api.md". */
export function guidePath(file: string): string {
  const name = file.replace(/\.md$/, "");
  if (name === "README") return "/docs";
  return name.startsWith("decisions/") ? `/docs/${name}` : `/docs/guides/${name}`;
}

/**
 * Where a link of a page leads in the application.
 * @param file the page that it stands on, relative to docs/: "decisions/0001-postgresql-everywhere.md"
 * @param href as it is written: "../protocol.md#41-the-binding-cookie"
 * @returns null for a file that the application does not show, such as source code
 */
export function resolveGuideLink(file: string, href: string): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith("#")) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(file), path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (target === "decisions/") return "/docs/decisions";
  return /^(?!\.\.\/)[a-z0-9/-]+\.md$|^README\.md$/.test(target) ? guidePath(target) + hash : null;
}
