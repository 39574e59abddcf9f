import type { Metadata } from "next";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { extractPlainText } from "#lib/guides/parse-guide.ts";
import type { GuideGroup } from "#lib/guides/read-guide.ts";
import { listDecisionGroups, listGuideGroups, readGuideHere } from "../documentation.ts";

export const metadata: Metadata = { title: "Decisions" };

export default async function DecisionsPage() {
  const { headings = [], blocks = [] } = (await readGuideHere("decisions/README.md")) ?? {};
  const lead = blocks.find(({ type }) => type === "paragraph");
  const groups = await listDecisionGroups();
  return (
    <GuidePage
      title="Decisions"
      groups={await listGuideGroups()}
      current="/docs/decisions"
      headings={headings}
    >
      <p className="mt-2 max-w-prose text-muted-foreground">{extractPlainText(lead ? [lead] : [])}</p>
      {groups.map((group, index) => (
        <Subject key={group.title} {...group} anchor={headings[index]?.anchor} />
      ))}
    </GuidePage>
  );
}

function Subject({ title, guides, anchor }: GuideGroup & { anchor: string | undefined }) {
  return (
    <section aria-labelledby={anchor} className="mt-10">
      <h2 id={anchor} className="scroll-mt-6 font-semibold text-lg">
        {title}
      </h2>
      <ul className="mt-3 divide-y rounded-base border bg-card">
        {guides.map(({ href, name, about }) => (
          <li
            key={href}
            className="relative px-4 py-3 first:rounded-t-base last:rounded-b-base hover:bg-muted"
          >
            {/* Makes the whole row clickable. */}
            <a href={href} className="wrap-anywhere font-semibold after:absolute after:inset-0">
              {name}
            </a>
            <p className="wrap-anywhere text-muted-foreground text-sm">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
