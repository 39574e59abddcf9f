import type { Metadata } from "next";
import { renderScreen } from "../../screen.tsx";

export const metadata: Metadata = { title: "Domains" };

export default function DomainsPage(props: PageProps<"/console/[mode]/domains">) {
  return renderScreen("domains", props);
}
