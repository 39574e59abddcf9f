import type { Metadata } from "next";
import { ConsolePage } from "#components/console/console-page.tsx";
import { OperationForm } from "#components/console/operation-form.tsx";
import { requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { describeFormFields } from "#lib/hosted/contract/reference.ts";
import { SIGNATURE_EXAMPLE, SIGNATURE_OPERATIONS } from "#lib/hosted/contract/verify.ts";
import { Card } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Signatures" };

export default async function SignaturesPage({ params }: PageProps<"/console/[mode]/signatures">) {
  const { mode } = await requireConsoleTenant((await params).mode, "/signatures");
  return (
    <ConsolePage
      mode={mode}
      section="/signatures"
      title="Check a signature"
      lead="If your server rejects a wallet's signature, paste the values here to see what POST /verify returns."
    >
      <Card aria-label="Signature">
        <OperationForm
          route="POST /verify"
          fields={describeFormFields(SIGNATURE_OPERATIONS.verifySignature)}
          example={SIGNATURE_EXAMPLE}
          variant="primary"
        />
      </Card>
    </ConsolePage>
  );
}
