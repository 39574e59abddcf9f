import type { Vulnerability } from "#packages/login/cli/find-vulnerabilities.ts";
import type { ManifestEntry } from "./merge-manifest.ts";
import type { Update } from "./update-template.ts";

/** Lists open vulnerabilities last, so that they are directly above the shell's prompt. */
export function describeUpdate(site: string, update: Update): string {
  const { replaced, added, deleted, obsolete, left, manifest, closed, open } = update;
  const isOriginalMissing = left.some(({ isOriginalKnown }) => !isOriginalKnown);
  return [
    list("Replaced, since you had not changed them:", replaced),
    list("New:", added),
    list("Changed in this version, and deleted by you, so not written:", deleted),
    list("No longer generated. Delete those that nothing of yours imports:", obsolete),
    list("Updated in package.json:", manifest.updated.map(entryLine)),
    list(
      "Left as they are in package.json, since you have changed them. Look at each:",
      manifest.left.map(entryLine),
    ),
    ...left.map(
      ({ path, patch }) => `Changed in this version and by you, so left as it is: ${path}\n\n${patch}\n`,
    ),
    isOriginalMissing &&
      "The generated version of some of these files is unknown, so their patches also contain your own changes, reversed.\n\n",
    left.length + manifest.left.length > 0 &&
      "The next --update prints what is still missing. Add --merged FILE when you have applied what you want from a file's patch.\n\n",
    ...closed.map((hole) =>
      describeVulnerability("CLOSED BY THIS UPDATE: A SECURITY HOLE. Deploy this version.", hole),
    ),
    `The packages in ${site} now have this version. Next: npm install ./svc-*.tgz\n`,
    ...open.map((hole) =>
      describeVulnerability("STILL OPEN: A SECURITY HOLE. Fix this file, since you have changed it.", hole),
    ),
  ]
    .filter(Boolean)
    .join("");
}

function list(title: string, lines: readonly string[]): string {
  return lines.length > 0 ? `${title}\n${lines.map((line) => `  ${line}\n`).join("")}\n` : "";
}

function entryLine({ entry, yours, generated, current }: ManifestEntry): string {
  const text = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "none"));
  return yours === generated
    ? `${entry}: ${text(yours)} → ${text(current)}`
    : `${entry}: yours ${text(yours)}, generated ${generated === undefined ? "unknown" : text(generated)}, this version ${text(current)}`;
}

function describeVulnerability(title: string, { path, what, fix }: Vulnerability): string {
  const line = "!".repeat(80);
  return `\n${line}\n${title}\n\n  ${path}\n\n${what}\n\n${fix}\n${line}\n`;
}
