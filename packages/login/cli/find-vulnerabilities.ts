import { globSync } from "node:fs";
import { readTextFile } from "./application.ts";

/**
 * A vulnerability in code that sites have copied into their own sources, where updating the packages does not fix it.
 */
type KnownVulnerability = {
  appliesTo: (text: string) => boolean;
  what: string;
  fix: string;
};

const VULNERABILITIES: readonly KnownVulnerability[] = [
  {
    appliesTo: (text) => text.includes("split(/\\s*;\\s*q=/)"),
    what: "With one request, anyone can block this site for ten seconds: if the Accept-Language header contains 15 KB of spaces, the regular expression that splits the header takes time proportional to the square of their number.",
    fix: 'Cut the header and split it without a regular expression: `header.slice(0, 256)`, then `each.split(";").map((part) => part.trim())`, or call `preferredLanguage` of @svc/react, as this version does.',
  },
];

export type Vulnerability = { path: string; what: string; fix: string };

export function listSourceFiles(site: string): string[] {
  return globSync("**/*.{ts,tsx,mts,js,jsx,mjs}", {
    cwd: site,
    // Tests are excluded, because a test can contain the vulnerable text that it looks for.
    exclude: (path) => /(^|[\\/])(node_modules|\.next|\.data)$|\.test\.\w+$/.test(path),
  }).toSorted();
}

/** Also finds vulnerable code that the site's owner has moved. */
export function findVulnerabilities(site: string): Vulnerability[] {
  return listSourceFiles(site).flatMap((path) => {
    // The path can also be a broken link, or a folder whose name looks like a source file's.
    const text = readTextFile(site, path) ?? "";
    return VULNERABILITIES.filter(({ appliesTo }) => appliesTo(text)).map(({ what, fix }) => ({
      path,
      what,
      fix,
    }));
  });
}
