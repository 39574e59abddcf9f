import type { Metadata } from "next";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { guideFiles, guidePath } from "#lib/guides/read-guide.ts";
import { TextLink } from "#packages/react/ui/elements.tsx";
import { guideGroups, neighboursOf } from "../documentation.ts";
import { guideTitle } from "../guide-file-page.tsx";

export const metadata: Metadata = { title: "Decisions" };

const PATH = "/docs/decisions";

/** The titles of docs/decisions/. */
export default async function DecisionsPage() {
  const files = [...guideFiles()].filter((file) => file.startsWith("decisions/"));
  const decisions = await Promise.all(
    files.map(async (file) => {
      const [, number = "", title = ""] =
        /^0{0,3}([1-9]\d{0,3})[:.] (.*)$/.exec(await guideTitle(file)) ?? [];
      return { href: guidePath(file), number, title };
    }),
  );
  const groups = await guideGroups();
  return (
    <GuidePage title="Decisions" groups={groups} current={PATH} headings={[]} {...neighboursOf(groups, PATH)}>
      <p className="mt-4 max-w-prose">
        Why it is built as it is: a short record of each decision that a newcomer would question. Some numbers
        were reserved for drafts and never used.
      </p>
      <ul className="mt-6 max-w-prose divide-y border-y">
        {decisions.map(({ href, number, title }) => (
          <li key={href} className="grid grid-cols-[2.5rem_minmax(0,1fr)] py-2.5">
            <span className="text-muted-foreground tabular-nums">{number}</span>
            <span>
              <TextLink href={href}>{title}</TextLink>
            </span>
          </li>
        ))}
      </ul>
    </GuidePage>
  );
}
