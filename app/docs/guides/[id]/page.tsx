import type { Metadata } from "next";
import { GuideFilePage, guideTitle } from "../../guide-file-page.tsx";

type Props = PageProps<"/docs/guides/[id]">;

async function fileOf({ params }: Props): Promise<string> {
  const { id } = await params;
  return `${id}.md`;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: await guideTitle(await fileOf(props)) };
}

/** A guide, from its Markdown file. */
export default async function Page(props: Props) {
  return <GuideFilePage file={await fileOf(props)} />;
}
