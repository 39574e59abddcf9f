import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Builtins, NEWER_BUILTINS_FILE } from "./baseline.ts";

type BuiltinNames = Record<keyof Builtins, string>;
const written: { language: BuiltinNames; web: BuiltinNames } = JSON.parse(
  readFileSync(NEWER_BUILTINS_FILE, "utf8"),
);
const split = ({ globals, statics, members }: BuiltinNames): Builtins => ({
  globals: globals.split(" "),
  statics: statics.split(" "),
  members: members.split(" "),
});
const [language, web] = [split(written.language), split(written.web)];

export const NEWER_BUILTINS: Builtins = {
  globals: [...language.globals, ...web.globals],
  statics: [...language.statics, ...web.statics],
  members: [...language.members, ...web.members],
};

/** Runs in a page before its own scripts. */
export function removeBuiltins({ globals, statics, members }: Builtins): void {
  const at = (path: string): unknown =>
    path.split(".").reduce<unknown>((value, name) => Object(value)[name], globalThis);
  const remove = (owner: unknown, name: string) => void Reflect.deleteProperty(Object(owner), name);
  for (const path of statics) remove(at(path.replace(/\.\w+$/, "")), path.replace(/^.*\./, ""));
  for (const path of members) remove(at(path.replace(/\.\w+$/, ".prototype")), path.replace(/^.*\./, ""));
  for (const name of globals) remove(globalThis, name);
}

/** Methods of packages whose names are also those of newer built-ins. */
const AMBIGUOUS_NAMES = new Set([
  ".use()", // a method of React
  ".resize()", // a method of the QR code decoder
  ".toHex()", // a method of points on the curve
]);

/** Matches a whole name. */
const [BEGIN, END] = ["(?<![\\w$.])", "(?![\\w$])"];

/**
 * Returns the newer built-ins that a script seems to use without checking that they exist, such as `URL.parse` and
 * `.toSorted()`. Recognises members of the language by their name, unless an older built-in has the same name. Does not
 * search for members of the web platform, because scripts use such names for other purposes too.
 */
export function findNewerBuiltins(script: string): string[] {
  const uses = (pattern: string) => new RegExp(pattern).test(script);
  const isTested = (name: string) => uses(`typeof\\b[^;]{0,60}\\.${name}${END}|\\.${name}=[^=]`);
  const statics = [...language.statics, ...web.statics].filter(
    (path) => uses(`${BEGIN}${path.replace(".", "\\.")}${END}`) && !isTested(lastOf(path)),
  );
  const names = new Set(language.members.map(lastOf).filter((name) => !isOlder(name)));
  const members = [...names]
    .filter((name) => uses(`\\.${name}\\(`) && !isTested(name))
    .map((name) => `.${name}()`);
  const builtinNames = [...language.globals, ...web.globals]
    .filter((name) => uses(`\\bnew ${name}${END}`) && !uses(`typeof\\b ?${name}${END}`))
    .map((name) => `new ${name}`);
  return [...statics, ...members, ...builtinNames].filter((use) => !AMBIGUOUS_NAMES.has(use));
}

const lastOf = (path: string) => path.replace(/^.*\./, "");

/** For example, `Array.map` is older than `Iterator.map`. */
function isOlder(name: string): boolean {
  const newer = new Set(language.members);
  return OWNERS.some((owner) => {
    const { prototype } = Reflect.get(globalThis, owner) ?? {};
    return prototype && Object.hasOwn(prototype, name) && !newer.has(`${owner}.${name}`);
  });
}

const OWNERS = Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z]\w+$/.test(name));

/** @param folder `.next` */
export function findNewerBuiltinsInBuild(folder: string): { script: string; uses: string[] }[] {
  const manifest: { polyfillFiles: string[] } = JSON.parse(
    readFileSync(join(folder, "build-manifest.json"), "utf8"),
  );
  const scripts = readdirSync(join(folder, "static"), { recursive: true, encoding: "utf8" }).filter(
    // Browsers that support modules do not load Next.js's polyfills.
    (path) => path.endsWith(".js") && !manifest.polyfillFiles.includes(`static/${path}`),
  );
  return scripts
    .map((script) => ({
      script,
      uses: findNewerBuiltins(readFileSync(join(folder, "static", script), "utf8")),
    }))
    .filter(({ uses }) => uses.length > 0);
}
