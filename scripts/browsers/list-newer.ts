import { readFileSync, writeFileSync } from "node:fs";
import { BASELINE, type Builtins, NEWER_BUILTINS_FILE } from "./baseline.ts";

/**
 * Lists the built-ins that the oldest supported browsers lack, according to MDN's data. To update the list, run `npm
 * install @mdn/browser-compat-data` in an empty folder, and then in the repository `node scripts/browsers/list-newer.ts
 * FOLDER/node_modules/@mdn/browser-compat-data/data.json`.
 */

type Statement = {
  version_added: string | false;
  version_removed?: string;
  flags?: unknown;
  prefix?: string;
  alternative_name?: string;
};
type Feature = { __compat?: { support: Record<string, Statement | Statement[] | undefined> } };
type Interfaces = Record<string, Feature & Record<string, Feature>>;
type Data = {
  __meta: { version: string; timestamp: string };
  javascript: { builtins: Interfaces };
  api: Interfaces;
  css: { selectors: Record<string, Feature> };
};

const [, , file = ""] = process.argv;
const data: Data = JSON.parse(readFileSync(file, "utf8"));

const number = (version: string) => Number.parseFloat(version.replace("≤", ""));

/** Without `version`, any version counts. */
function isSupported({ __compat }: Feature, browser: string, version = Number.POSITIVE_INFINITY): boolean {
  return [__compat?.support[browser] ?? []].flat().some((statement) => {
    const { version_added, version_removed, flags, prefix, alternative_name } = statement;
    if (!version_added || version_added === "preview" || flags || prefix || alternative_name) return false;
    const isRemoved = version_removed !== undefined && number(version_removed) <= version;
    return number(version_added) <= version && !isRemoved;
  });
}

/** One of the oldest supported browsers lacks the feature, and a newer browser has it. */
function isNewer(feature: Feature): boolean {
  if (!feature.__compat) return false;
  const browsers = Object.entries(BASELINE);
  const isSupportedAnywhere = browsers.some(([browser]) => isSupported(feature, browser));
  return (
    isSupportedAnywhere && browsers.some(([browser, version]) => !isSupported(feature, browser, version))
  );
}

function list(interfaces: Interfaces, isStatic: (owner: string, name: string) => boolean): Builtins {
  const newer: Builtins = { globals: [], statics: [], members: [] };
  for (const [owner, { __compat, ...features }] of Object.entries(interfaces)) {
    if (isNewer({ __compat })) newer.globals.push(owner);
    for (const name of newerNames(owner, features)) {
      const plain = name.replace(/_static$/, "");
      if (owner === "Window") newer.globals.push(plain);
      else newer[isStatic(owner, name) ? "statics" : "members"].push(`${owner}.${plain}`);
    }
  }
  return newer;
}

/** Omits constructors, events, and names that are not identifiers. */
function newerNames(owner: string, features: Record<string, Feature>): string[] {
  return Object.keys(features).filter((name) => {
    const plain = name.replace(/_static$/, "");
    const isNamed = plain !== owner && !name.endsWith("_event") && /^\w+$/.test(plain);
    return isNamed && isNewer(features[name] ?? {});
  });
}

const isOwn = (owner: string, name: string) => Object.hasOwn(Reflect.get(globalThis, owner) ?? {}, name);
const kinds = {
  language: list(data.javascript.builtins, isOwn),
  web: list(data.api, (_, name) => name.endsWith("_static")),
  css: {
    selectors: Object.entries(data.css.selectors).flatMap(([name, feature]) =>
      isNewer(feature) ? [name] : [],
    ),
  },
};
const { version, timestamp } = data.__meta;
const source = `@mdn/browser-compat-data ${version} (${timestamp.slice(0, 10)})`;
const asText = (_: string, value: unknown) => (Array.isArray(value) ? value.join(" ") : value);
writeFileSync(NEWER_BUILTINS_FILE, `${JSON.stringify({ source, ...kinds }, asText, 2)}\n`);
