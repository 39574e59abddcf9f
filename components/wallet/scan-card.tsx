"use client";

import { Camera, ImageUp } from "lucide-react";
import { type ChangeEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { PayloadForm } from "./payload-form.tsx";
import { readImageFile } from "./scan/read-image-file.ts";

/** The ways to give this wallet a code: camera, image, text. A link to this page is another. */
export function ScanCard({ onScan, onOpen }: { onScan: () => void; onOpen: (text: string) => void }) {
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
    <Card>
      <CardHeader title="Sign in somewhere">
        The login page shows a code. This wallet shows you who asks before it signs anything.
      </CardHeader>
      <div className="grid gap-3 min-[25rem]:grid-cols-2">
        <Button variant="primary" onClick={onScan}>
          <Camera aria-hidden className="size-4 shrink-0" />
          Scan a code
        </Button>
        <Button onClick={() => file.current?.click()}>
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
    </Card>
  );
}
