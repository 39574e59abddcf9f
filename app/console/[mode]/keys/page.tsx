import type { Metadata } from "next";
import { renderScreen } from "../../screen.tsx";

export const metadata: Metadata = { title: "Keys" };

/** The API keys of a mode. */
export default function KeysPage(props: PageProps<"/console/[mode]/keys">) {
  return renderScreen("keys", props);
}
