import type { Metadata } from "next";
import { TextLink } from "#components/ui/text-link.tsx";
import { GuideFilePage } from "./guide-file-page.tsx";

export const metadata: Metadata = { title: "Documentation" };

/** Every guide with a sentence: docs/README.md. */
export default function DocumentationPage() {
  return (
    <GuideFilePage file="README.md">
      <p className="mt-4 max-w-prose">
        To look an operation of the hosted API up and try it, open the{" "}
        <TextLink href="/docs/api">API reference</TextLink>.
      </p>
    </GuideFilePage>
  );
}
