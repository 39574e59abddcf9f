import type { Metadata } from "next";
import { GuideFilePage, guideTitle } from "../../guide-file-page.tsx";

type Props = PageProps<"/docs/decisions/[id]">;

async function fileOf({ params }: Props): Promise<string> {
  const { id } = await params;
  return `decisions/${id}.md`;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: await guideTitle(await fileOf(props)) };
}

/** The record of a decision, from its Markdown file. */
export default async function Page(props: Props) {
  return <GuideFilePage file={await fileOf(props)} />;
}
