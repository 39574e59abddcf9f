import type { Metadata } from "next";
import { ConsolePage } from "#components/console/console-page.tsx";
import { SignatureTool } from "#components/console/signature-tool.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { SIGNATURE_EXAMPLE } from "#lib/hosted/contract/verify.ts";
import { Card } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Signatures" };

/** The result of `/verify` for a signature. */
export default async function SignaturesPage({ params }: PageProps<"/console/[mode]/signatures">) {
  const { mode } = await requireConsole((await params).mode, "/signatures");
  return (
    <ConsolePage
      mode={mode}
      section="/signatures"
      title="Check a signature"
      lead="If your server rejects a wallet's signature, paste the values here and compare the answer of POST /verify."
    >
      <Card aria-label="Signature">
        <SignatureTool example={SIGNATURE_EXAMPLE} />
      </Card>
    </ConsolePage>
  );
}
