import type { Metadata } from "next";
import { renderScreen } from "../../screen.tsx";

export const metadata: Metadata = { title: "Keys" };

export default function KeysPage(props: PageProps<"/console/[mode]/keys">) {
  return renderScreen("keys", props);
}
