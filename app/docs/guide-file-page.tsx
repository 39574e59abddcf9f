import type { Metadata } from "next";
import { notFound, permanentRedirect } from "next/navigation";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { Markdown } from "#components/docs/markdown.tsx";
import { guidePath, resolveGuideLink } from "#lib/guides/read-guide.ts";
import { findNeighbours, listDecisionGroups, listGuideGroups, readGuideHere } from "./documentation.ts";

type Props = { params: Promise<{ id: string }> };

export function createGuideFilePages(folder: "" | "decisions/") {
  const fileOf = async ({ params }: Props) => `${folder}${(await params).id}.md`;
  return {
    generateMetadata: async (props: Props): Promise<Metadata> => ({
      title: await guideTitle(await fileOf(props)),
    }),
    Page: async (props: Props) => <GuideFilePage file={await fileOf(props)} />,
  };
}

/** Former pages whose content is now part of another page. */
const MOVED: Readonly<Record<string, string>> = {
  "cluster.md": "/docs/guides/operations#a-cluster",
  "growth.md": "/docs/guides/performance#plan-for-growth",
  "hosted-node.md": "/docs/guides/hosted-quickstart",
  "hosted-python.md": "/docs/guides/hosted-quickstart",
};

const DECISIONS = { href: guidePath("decisions/README.md"), name: "Decisions" };

async function GuideFilePage({ file }: { file: string }) {
  const guide = await readGuideHere(file);
  const moved = MOVED[file];
  if (!guide && moved) permanentRedirect(moved);
  if (!guide) notFound();
  const groups = await listGuideGroups();
  const path = guidePath(file);
  const [, number, decision] = /^(\d+): (.*)$/s.exec(guide.title) ?? [];
  const isDecision = file.startsWith("decisions/");
  return (
    <GuidePage
      title={decision ?? guide.title}
      trail={number === undefined ? null : { ...DECISIONS, place: `Decision ${Number(number)}` }}
      groups={groups}
      current={isDecision ? DECISIONS.href : path}
      headings={guide.headings}
      {...findNeighbours(isDecision ? await listDecisionGroups() : groups, path)}
    >
      <Markdown
        blocks={guide.blocks}
        anchors={guide.headings.map(({ anchor }) => anchor)}
        resolveLink={(href) => resolveGuideLink(file, href)}
      />
    </GuidePage>
  );
}

async function guideTitle(file: string): Promise<string> {
  return (await readGuideHere(file))?.title ?? "Not found";
}
