import type { Metadata } from "next";
import { ConsolePage, MODE_NAMES } from "#components/console/console-page.tsx";
import { CreateKeyForm, KeyList } from "#components/console/key-list.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { listKeys } from "#lib/hosted/keys/manage-keys.ts";
import { Section } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Keys" };

/** The API keys of a mode. */
export default async function KeysPage({ params }: PageProps<"/console/[mode]/keys">) {
  const tenant = await requireConsole((await params).mode, "/keys");
  const keys = await listKeys(tenant);
  const liveFirst = keys.toSorted((a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null));
  const { mode } = tenant;
  return (
    <ConsolePage
      mode={mode}
      section="/keys"
      title="API keys"
      lead={`${MODE_NAMES[mode]} keys. Use one for each server, so that you can revoke them separately.`}
    >
      <Section id="new-key" title={`New ${mode} key`}>
        <CreateKeyForm />
      </Section>
      <Section id="keys" title="Your keys">
        <KeyList keys={liveFirst} />
      </Section>
    </ConsolePage>
  );
}
