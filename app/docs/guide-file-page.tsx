import { notFound } from "next/navigation";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { Markdown } from "#components/docs/markdown.tsx";
import { guideIndex, guidePath, readGuide, resolveGuideLink } from "#lib/guides/read-guide.ts";

/** A file of docs/ as a page; 404 if there is no such file. */
export async function GuideFilePage({ file, children }: { file: string; children?: React.ReactNode }) {
  const guide = await readGuide(file);
  if (!guide) notFound();
  return (
    <GuidePage
      title={guide.title}
      groups={await guideLinks()}
      current={guidePath(file)}
      headings={guide.headings}
    >
      {children}
      <Markdown
        blocks={guide.blocks}
        anchors={guide.headings.map(({ anchor }) => anchor)}
        resolveLink={(href) => resolveGuideLink(file, href)}
      />
    </GuidePage>
  );
}

/** The guides as docs/README.md lists them, with the pages that show them. */
export async function guideLinks() {
  const index = await readGuide("README.md");
  const reference = { title: "Reference", guides: [{ href: "/docs/api", name: "API reference" }] };
  const groups = index ? guideIndex(index) : [];
  return [
    reference,
    ...groups.map(({ title, guides }) => ({
      title,
      guides: guides.flatMap(({ href, name }) => {
        const path = resolveGuideLink("README.md", href);
        return path === null ? [] : [{ href: path, name }];
      }),
    })),
  ];
}

/** The title of a page's tab. */
export async function guideTitle(file: string): Promise<string> {
  return (await readGuide(file))?.title ?? "Not found";
}
