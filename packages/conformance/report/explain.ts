import { join } from "node:path";
import { type Explanation, type Place, rowOf, sectionOf } from "./reference.ts";
import { wrapped } from "./render.ts";

/** What `svc-conformance explain ID` prints. @param docs the folder of the documents */
export function renderExplanation(explanation: Explanation, docs: string, columns: number): string {
  const { id, level, requirement, cause, family, why, fix, svcLogin } = explanation;
  const section = sectionOf(id);
  const linkTo = ({ page, anchor }: Place) => `${join(docs, `${page}.md`)}#${anchor}`;
  const lines = [
    ["Requirement", requirement],
    ["Why it matters", why],
    ["Usual cause", cause],
    ["How to fix it", fix],
    ...(svcLogin === null ? [] : [["With @svc/login", svcLogin]]),
    ["Protocol", `section ${section.title}`],
  ];
  const texts = lines.map(
    ([label, text]) => `${label}\n${wrapped(text ?? "", Math.min(columns, 100), "  ")}\n`,
  );
  return `${id} (${level}), ${family}\n\n${texts.join("\n")}  ${linkTo(section)}\n  ${linkTo(rowOf(id))}\n`;
}
