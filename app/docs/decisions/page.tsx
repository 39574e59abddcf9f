import type { Metadata } from "next";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { guideFiles, guidePath } from "#lib/guides/read-guide.ts";
import { guideGroups, neighboursOf } from "../documentation.ts";
import { guideTitle } from "../guide-file-page.tsx";

export const metadata: Metadata = { title: "Decisions" };

const PATH = "/docs/decisions";

/** The titles of docs/decisions/. */
export default async function DecisionsPage() {
  const files = [...guideFiles()].filter((file) => file.startsWith("decisions/"));
  const decisions = await Promise.all(
    files.map(async (file) => ({ href: guidePath(file), title: await guideTitle(file) })),
  );
  const groups = await guideGroups();
  return (
    <GuidePage title="Decisions" groups={groups} current={PATH} headings={[]} {...neighboursOf(groups, PATH)}>
      <p className="mt-4 max-w-prose">
        Why it is built as it is: a short record of each decision that a newcomer would question.
      </p>
      <ul className="mt-4 max-w-prose">
        {decisions.map(({ href, title }) => (
          <li key={href} className="py-1">
            <TextLink href={href}>{title}</TextLink>
          </li>
        ))}
      </ul>
    </GuidePage>
  );
}
