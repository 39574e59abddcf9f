"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextArea } from "#components/ui/text-field.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { readText } from "#lib/login/client/fetch-json.ts";
import { useConsoleAction } from "./console-action.tsx";

type Verdict = { valid: boolean; publicKey: string; hash: string };

/** A signature that is good, to begin with. */
export type SignatureExample = { public_key: string; signature: string; message: string };

/** Asks `/verify` about a key, a signature and a message. */
export function SignatureTool({ mode, example }: { mode: ApiMode; example: SignatureExample }) {
  const { pending, failure, run } = useConsoleAction(mode);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setVerdict(null);
    const fields = new FormData(event.currentTarget);
    const read = (name: keyof SignatureExample) => String(fields.get(name));
    run(
      "POST",
      "/verify",
      {
        // What is copied from a log often ends with a line break; no hex has one.
        public_key: read("public_key").trim(),
        signature: read("signature").trim(),
        message: read("message"),
      },
      (answer) => setVerdict(readVerdict(answer)),
    );
  };
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

function fillIn(form: HTMLFormElement | null, example: SignatureExample) {
  for (const [name, text] of Object.entries(example)) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLTextAreaElement) field.value = text;
  }
}

function VerdictCard({ valid, publicKey, hash }: Verdict) {
  return (
    <div className="grid gap-4">
      <Notice tone={valid ? "success" : "warning"}>
        {valid
          ? "Valid: the holder of this key signed this very message."
          : "Not valid: key and signature can be read, but the signature is not this key’s over this message."}
      </Notice>
      <Facts>
        <Fact name="Key, as we keep it">
          <code className="font-mono">{publicKey}</code>
        </Fact>
        <Fact name="Hash of the message">
          <code className="font-mono">{hash}</code>
        </Fact>
      </Facts>
    </div>
  );
}

function readVerdict(answer: unknown): Verdict {
  const valid = typeof answer === "object" && answer !== null && "valid" in answer && answer.valid === true;
  return {
    valid,
    publicKey: readText(answer, "public_key") ?? "",
    hash: readText(answer, "message_hash") ?? "",
  };
}
