"use client";

import { Camera, ImageUp } from "lucide-react";
import { type ChangeEvent, type FormEvent, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { startDecoder } from "./scan/decoder.ts";
import { wholePicture } from "./scan/use-camera.ts";

/** The ways to give this wallet a code: camera, image, text. A link to this page is another. */
export function ScanCard({ onScan, onOpen }: { onScan: () => void; onOpen: (text: string) => void }) {
  return (
    <Card>
      <CardHeader title="Sign in somewhere">
        The login page shows a code. This wallet shows you who asks before it signs anything.
      </CardHeader>
      <CodeWithoutCamera onOpen={onOpen}>
        <Button variant="primary" onClick={onScan}>
          <Camera aria-hidden className="size-4 shrink-0" />
          Scan a code
        </Button>
      </CodeWithoutCamera>
    </Card>
  );
}

/** An image or text that holds a code; `children` stand before the image's button. */
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
    // The same file may be chosen again.
    currentTarget.value = "";
    if (text !== null) onOpen(text);
    else
      setProblem("No code can be read in this image. Choose one that shows the whole code, sharp and flat.");
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

/** Takes the text of a code by paste. */
function PayloadForm({ onOpen }: { onOpen: (text: string) => void }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!field.current) return;
    onOpen(field.current.value);
    field.current.value = "";
  };

  return (
    <details className="mt-4 border-t pt-2">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        Paste a code as text
      </summary>
      <form onSubmit={submit}>
        <label htmlFor={id} className="font-semibold">
          The code’s text
        </label>
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          “Copy link” on the login page copies it.
        </p>
        <textarea
          ref={field}
          id={id}
          rows={3}
          required
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="svc://auth?webhook=…"
          aria-describedby={`${id}-hint`}
          className="mt-2 block w-full rounded-base border border-input bg-background px-3 py-2 font-mono text-sm"
        />
        <Button type="submit" className="mt-3 w-full min-[25rem]:w-auto">
          Read code
        </Button>
      </form>
    </details>
  );
}

/** The text of the QR code in an image file, or null when there is none that can be read. Never throws. */
async function readImageFile(file: Blob): Promise<string | null> {
  const decoder = startDecoder();
  try {
    const original = await createImageBitmap(file);
    const { width, height } = wholePicture(original.width, original.height).scaled;
    const picture = await createImageBitmap(original, { resizeWidth: width, resizeHeight: height });
    original.close();
    return await decoder.decode(picture, "picture");
  } catch {
    return null;
  } finally {
    decoder.close();
  }
}
