import type { Metadata } from "next";
import { GuideFilePage } from "../guide-file-page.tsx";

export const metadata: Metadata = { title: "Decisions" };

/** The list of decisions, docs/decisions/README.md. */
export default function DecisionsPage() {
  return <GuideFilePage file="decisions/README.md" />;
}
