"use client";

import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { Disclosure } from "#components/ui/details.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { Section } from "#packages/react/ui/elements.tsx";
import { Camera, ImageUp } from "#packages/react/ui/icons.tsx";
import { TextArea } from "#packages/react/ui/text-field.tsx";
import { readImageFile } from "./scan/decoder.ts";

export function ScanCard({ onScan, onOpen }: { onScan: () => void; onOpen: (text: string) => void }) {
  return (
    <Section
      title="Sign in to a site"
      text="The login page shows a code. This wallet shows you which site is asking before it signs anything."
    >
      <CodeWithoutCamera onOpen={onOpen}>
        <Button variant="primary" onClick={onScan}>
          <Camera aria-hidden className="size-4 shrink-0" />
          Scan a code
        </Button>
      </CodeWithoutCamera>
    </Section>
  );
}

/** `children` are shown before the image's button. */
export function CodeWithoutCamera({
  onOpen,
  children,
}: {
  onOpen: (text: string) => void;
  children?: React.ReactNode;
}) {
  const file = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const readImage = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [image] = currentTarget.files ?? [];
    if (!image) return;
    setProblem(null);
    const text = await readImageFile(image);
    // Lets the user select the same file again.
    currentTarget.value = "";
    if (text !== null) onOpen(text);
    else
      setProblem(
        "No code was found in this image. Choose a sharp image that shows the whole code, without distortion.",
      );
  };

  return (
    <>
      <div className={children ? "grid gap-3 min-[25rem]:grid-cols-2" : "grid"}>
        {children}
        <Button variant={children ? "secondary" : "primary"} onClick={() => file.current?.click()}>
          <ImageUp aria-hidden className="size-4 shrink-0" />
          Use an image
        </Button>
        <input
          ref={file}
          type="file"
          accept="image/*"
          aria-label="Image of a code"
          className="hidden"
          onChange={readImage}
        />
      </div>
      {problem && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {problem}
        </p>
      )}
      <PayloadForm onOpen={onOpen} />
    </>
  );
}

function PayloadForm({ onOpen }: { onOpen: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!field.current) return;
    onOpen(field.current.value);
    field.current.value = "";
  };

  return (
    <Disclosure summary="Paste a code as text">
      <form onSubmit={submit}>
        <TextArea
          ref={field}
          label="The code’s text"
          hint="“Copy link” on the login page copies it."
          required
          placeholder="svc://auth?webhook=…"
        />
        <Button type="submit" className="mt-3 w-full min-[25rem]:w-auto">
          Read code
        </Button>
      </form>
    </Disclosure>
  );
}
