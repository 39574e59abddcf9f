import { ArrowRight } from "lucide-react";
import type { Metadata } from "next";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { TextLink } from "#components/ui/elements.tsx";
import type { GuideGroup } from "#lib/guides/read-guide.ts";
import { guideGroups } from "./documentation.ts";

export const metadata: Metadata = { title: "Documentation" };

/** How many groups of docs/README.md are shown as doors, for newcomers to choose between. */
const DOORS = 3;

/** Three doors, then every guide of docs/README.md with a sentence. */
export default async function DocumentationPage() {
  const groups = await guideGroups();
  return (
    <GuidePage title="Documentation" groups={groups} current="/docs" headings={[]}>
      <p className="mt-2 max-w-prose text-muted-foreground">What do you want to do?</p>
      <div className="mt-6 grid gap-4 md:grid-cols-3">
        {groups.slice(0, DOORS).map((group) => (
          <Door key={group.title} {...group} />
        ))}
      </div>
      {groups.map(({ title, guides }) => (
        <section key={title} aria-label={title}>
          <h2 className="mt-12 border-t pt-6 font-semibold text-lg">{title}</h2>
          <ul className="mt-4 grid gap-x-8 gap-y-4 md:grid-cols-2 xl:grid-cols-3">
            {guides.map(({ href, name, about }) => (
              <li key={href}>
                <TextLink href={href}>{name}</TextLink>
                <p className="text-muted-foreground text-sm first-letter:uppercase">{about}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </GuidePage>
  );
}

/** A card that leads to a group's first guide. */
function Door({ title, lead, guides: [first] }: GuideGroup) {
  return (
    <a href={first?.href} className="flex flex-col rounded-base border bg-card p-5 hover:border-input">
      <span className="font-semibold text-lg">{title}</span>
      <span className="mt-2 grow text-muted-foreground text-sm">{lead}</span>
      <span className="mt-4 inline-flex items-center gap-2 font-semibold text-primary text-sm">
        {first?.name}
        <ArrowRight aria-hidden className="size-4 shrink-0" />
      </span>
    </a>
  );
}
