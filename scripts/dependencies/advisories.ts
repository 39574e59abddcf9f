import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Security advisories on installed packages, and why each is harmless here. */

const Version = z.string().regex(/^\d+\.\d+\.\d+$/);

const Advisory = z.object({
  /** GitHub's: https://github.com/advisories/<id>. */
  id: z.string().regex(/^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/),
  package: z.string(),
  title: z.string(),
  /** Versions at or above `from` and below `below`; without `below` there is no fixed version. */
  affected: z.array(z.object({ from: Version.default("0.0.0"), below: Version.optional() })),
  /** Why the application cannot reach the hole, if an affected version is installed. */
  unreachable: z.string().optional(),
});
export type Advisory = z.infer<typeof Advisory>;

/** The list next to this file. */
export function readAdvisories(): Advisory[] {
  const text = readFileSync(join(import.meta.dirname, "advisories.json"), "utf8");
  return z.array(Advisory).parse(JSON.parse(text));
}

const ReportedItem = z.object({
  name: z.string(),
  title: z.string(),
  url: z.string(),
  range: z.string(),
  severity: z.string(),
});
const Report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), ReportedItem])) })),
});

/** An advisory as the registry reports it. */
type ReportedAdvisory = Omit<z.infer<typeof ReportedItem>, "name" | "url"> & { id: string; package: string };

/** The advisories in what `npm audit --json` prints; null if the registry did not answer. */
export function readAuditReport(text: string): ReportedAdvisory[] | null {
  const report = Report.safeParse(parseJson(text));
  if (!report.success) return null;
  const told = new Map<string, ReportedAdvisory>();
  for (const item of Object.values(report.data.vulnerabilities).flatMap(({ via }) => via)) {
    // A string names another package, which the report lists as well.
    if (typeof item === "string") continue;
    const { name, url, ...more } = item;
    const id = url.split("/").at(-1) ?? url;
    told.set(`${id} ${name}`, { id, package: name, ...more });
  }
  return [...told.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
