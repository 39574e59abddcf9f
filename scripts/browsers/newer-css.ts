import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NEWER_BUILTINS_FILE } from "./baseline.ts";

const { css }: { css: { selectors: string } } = JSON.parse(readFileSync(NEWER_BUILTINS_FILE, "utf8"));
/** Pseudo-classes and pseudo-elements that at least one of the oldest supported browsers lacks. */
const NEWER_SELECTORS = new Set(css.selectors.split(" "));

/**
 * Values that make at least one of the oldest supported browsers ignore the declaration. Such a declaration must be
 * inside `@supports`.
 */
const NEWER_VALUES =
  /(?<![\w-])(?:light-dark|color-mix|anchor|sibling-index|if)\(|(?:rgb|hsl|lab|lch|oklab|oklch|color)\(from /;

/**
 * Returns the parts of a stylesheet that break in the oldest supported browsers: nested rules, selector lists that
 * these browsers ignore because of one unknown selector, and unknown values. Omits single rules that these browsers
 * ignore, because such rules are only decorative.
 */
export function findNewerCss(sheet: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  for (const [, text = "", end] of sheet.matchAll(/([^{}]*)([{}])/g)) {
    const [prelude = "", ...declarations] =
      end === "{" ? text.split(";").reverse() : ["", ...text.split(";")];
    const isGuarded = open.some((rule) => rule.startsWith("@supports"));
    if (!isGuarded) found.push(...declarations.filter((declaration) => NEWER_VALUES.test(declaration)));
    if (end === "}") {
      open.pop();
      continue;
    }
    const isInRule = open.some((rule) => !rule.startsWith("@"));
    if (isInRule || isBrokenList(prelude)) found.push(prelude);
    open.push(prelude.trim());
  }
  return found;
}

/**
 * Returns whether one selector makes the browser ignore the whole list. Inside `:is()` and `:where()`, the browser
 * ignores only the unknown selectors.
 */
function isBrokenList(prelude: string): boolean {
  if (prelude.trim().startsWith("@")) return false;
  let plain = prelude;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/:(?:is|where)\([^()]*\)/g, "").replace(/(?<!:is|:where)\([^()]*\)/g, "");
  }
  const selectors = plain.split(",");
  const isNewer = (selector: string) =>
    [...selector.matchAll(/(?<!\\):([a-z-]+)/g)].some(([, name = ""]) => NEWER_SELECTORS.has(name));
  return selectors.some(isNewer) && !selectors.every(isNewer);
}

/** @param folder `.next` */
export function findNewerCssInBuild(folder: string): string[] {
  const files = readdirSync(join(folder, "static"), { recursive: true, encoding: "utf8" });
  return files
    .filter((path) => path.endsWith(".css"))
    .flatMap((path) => findNewerCss(readFileSync(join(folder, "static", path), "utf8")));
}
