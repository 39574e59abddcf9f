"use client";

import { useState } from "react";
import { Fact, Facts } from "#components/ui/details.tsx";
import type { VerifiedSignature, VerifySignature } from "#lib/hosted/contract/verify.ts";
import { Button } from "#packages/react/ui/button.tsx";
import { Notice } from "#packages/react/ui/elements.tsx";
import { TextArea } from "#packages/react/ui/text-field.tsx";
import { onSubmit, useConsoleAction } from "./console-action.tsx";

/**
 * Asks `/verify` about a key, a signature and a message.
 * @param props.example a valid signature, to begin with
 */
export function SignatureTool({ example }: { example: VerifySignature }) {
  const { pending, failure, run } = useConsoleAction();
  const [verdict, setVerdict] = useState<VerifiedSignature | null>(null);
  const submit = onSubmit((fields) => {
    setVerdict(null);
    const read = (name: keyof VerifySignature) => String(fields.get(name));
    // Text copied from a log often ends with a line break, which hex never has.
    const [public_key, signature] = [read("public_key").trim(), read("signature").trim()];
    run("POST", "/verify", { public_key, signature, message: read("message") }, setVerdict);
  });
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TextArea
        label="Public key"
        hint="Hex: 65 bytes beginning 04, or 33 beginning 02 or 03."
        required
        name="public_key"
      />
      <TextArea label="Signature" hint="Hex of a DER-encoded ECDSA signature." required name="signature" />
      <TextArea
        label="Message"
        hint="The challenge, character by character as it was signed. It is hashed once with SHA-256."
        required
        name="message"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={pending}>
          {pending ? "Checking…" : "Check signature"}
        </Button>
        <Button
          onClick={({ currentTarget }) => {
            fillIn(currentTarget.form, example);
            setVerdict(null);
          }}
        >
          Fill in an example
        </Button>
      </div>
      <div aria-live="polite" className="empty:absolute">
        {verdict && <VerdictCard {...verdict} />}
        {failure && <Notice tone="danger">{failure.message}</Notice>}
      </div>
    </form>
  );
}

function fillIn(form: HTMLFormElement | null, example: VerifySignature) {
  for (const [name, text] of Object.entries(example)) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLTextAreaElement) field.value = text;
  }
}

function VerdictCard({ valid, public_key, message_hash }: VerifiedSignature) {
  return (
    <div className="grid gap-4">
      <Notice tone={valid ? "success" : "warning"}>
        {valid
          ? "Valid: the holder of this key signed exactly this message."
          : "Not valid: the key and the signature are well-formed, but this key did not sign this message."}
      </Notice>
      <Facts>
        <Fact name="Key, as we keep it">
          <code className="font-mono">{public_key}</code>
        </Fact>
        <Fact name="Hash of the message">
          <code className="font-mono">{message_hash}</code>
        </Fact>
      </Facts>
    </div>
  );
}
