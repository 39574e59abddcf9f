import type { Metadata } from "next";
import { GuidePage } from "#components/docs/guide-page.tsx";
import type { GuideGroup } from "#lib/guides/read-guide.ts";
import { TextLink } from "#packages/react/ui/elements.tsx";
import { ArrowRight } from "#packages/react/ui/icons.tsx";
import { listGuideGroups, READER_GROUPS, STARTING_GROUPS } from "./documentation.ts";

export const metadata: Metadata = { title: "Documentation" };

const MOST_LOOKED_UP = 3;

export default async function DocumentationPage() {
  const groups = await listGuideGroups();
  const { guides: lookUp = [] } = groups[READER_GROUPS] ?? {};
  return (
    <GuidePage title="Documentation" groups={groups} current="/docs" headings={[]}>
      <p className="mt-2 max-w-prose text-muted-foreground">What do you want to do?</p>
      <div className="mt-6 grid gap-x-4 gap-y-4 md:grid-cols-3 md:gap-y-2">
        {groups.slice(0, STARTING_GROUPS).map((group) => (
          <GuideGroupCard key={group.title} {...group} />
        ))}
      </div>
      <p className="mt-8 flex flex-wrap gap-x-6 gap-y-2">
        <span className="text-muted-foreground">To look something up:</span>
        {lookUp.slice(0, MOST_LOOKED_UP).map(({ href, name }) => (
          <TextLink key={href} href={href}>
            {name}
          </TextLink>
        ))}
      </p>
    </GuidePage>
  );
}

function GuideGroupCard({ title, lead, guides }: GuideGroup) {
  return (
    // Aligns the parts of cards in the same row.
    <section
      aria-label={title}
      className="row-span-3 grid grid-rows-subgrid rounded-base border bg-card px-5 pt-5 pb-2 max-md:gap-y-2"
    >
      <h2 className="font-semibold text-lg">{title}</h2>
      <p className="text-muted-foreground text-sm">{lead}</p>
      <ul className="mt-2 divide-y border-t">
        {guides.map(({ href, name }, index) => (
          <li key={href}>
            {index === 0 && <p className="pt-3 text-muted-foreground text-sm">Start with</p>}
            <a
              href={href}
              className="flex min-h-11 items-center justify-between gap-2 font-semibold text-primary text-sm hover:underline"
            >
              {name}
              <ArrowRight aria-hidden className="size-4 shrink-0" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
