import { z } from "zod";
import exceptions from "./exceptions.json" with { type: "json" };

const Advisory = z.object({
  name: z.string(),
  title: z.string(),
  /** A page on GitHub: https://github.com/advisories/<id>. */
  url: z.string(),
  range: z.string(),
  severity: z.string(),
});
const Report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), Advisory])) })),
});

/** Without duplicates and those that `exceptions.json` explains. Null if the registry did not respond. */
export function findUnexplainedAdvisories(text: string): z.infer<typeof Advisory>[] | null {
  const report = Report.safeParse(parseJson(text));
  if (!report.success) return null;
  const fresh = new Map<string, z.infer<typeof Advisory>>();
  for (const advisory of Object.values(report.data.vulnerabilities).flatMap(({ via }) => via)) {
    // A string is the name of another package in the report.
    if (typeof advisory === "string") continue;
    const explained = exceptions.some(
      ({ id, name }) => advisory.url.endsWith(`/${id}`) && advisory.name === name,
    );
    if (!explained) fresh.set(`${advisory.url} ${advisory.name}`, advisory);
  }
  return [...fresh.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
