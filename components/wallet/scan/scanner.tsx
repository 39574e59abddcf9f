"use client";

import { Flashlight, FlashlightOff } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { type CameraState, useCamera } from "./use-camera.ts";

/** The camera's picture while it looks for a code. What it finds is a question, nothing more. */
export function Scanner({
  onFound,
  onStop,
  children,
}: {
  onFound: (text: string) => void;
  onStop: () => void;
  /** The ways to give a code without a camera. */
  children: React.ReactNode;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { state, choose, torchOn, toggleTorch } = useCamera(video, onFound);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card aria-labelledby="scan-title" data-scan={state.phase}>
      <h2 id="scan-title" ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
        Scan a code
      </h2>
      <p role="status" className="text-muted-foreground text-sm">
        {words(state)}
      </p>
      {state.phase === "failed" ? (
        <>
          <Notice tone="warning" className="my-4">
            {state.message}
          </Notice>
          {children}
        </>
      ) : (
        <Viewfinder video={video} />
      )}
      {state.phase === "looking" && (
        <div className="mt-4 flex flex-wrap gap-3 empty:hidden *:grow">
          {state.torch !== undefined && (
            <Button onClick={toggleTorch} aria-pressed={torchOn}>
              {torchOn ? (
                <FlashlightOff aria-hidden className="size-4" />
              ) : (
                <Flashlight aria-hidden className="size-4" />
              )}
              {torchOn ? "Light off" : "Light on"}
            </Button>
          )}
          {state.cameras.length > 1 && <CameraChoice state={state} onChoose={choose} />}
        </div>
      )}
      <Button onClick={onStop} className="mt-4 w-full">
        {state.phase === "failed" ? "Back" : "Stop scanning"}
      </Button>
    </Card>
  );
}

function words({ phase }: CameraState): string {
  if (phase === "failed") return "The camera cannot be used.";
  return phase === "starting" ? "Starting the camera…" : "Hold the code inside the frame.";
}

function Viewfinder({ video }: { video: React.RefObject<HTMLVideoElement | null> }) {
  return (
    <div className="relative mt-4 aspect-square max-h-[60dvh] w-full overflow-hidden rounded-base bg-black">
      <video ref={video} muted playsInline aria-label="Camera" className="size-full object-cover" />
      <svg
        aria-hidden="true"
        viewBox="0 0 100 100"
        className="absolute inset-0 m-auto size-full fill-none stroke-white"
        strokeWidth="1.5"
        strokeLinecap="round"
      >
        <path d="M12 24V12h12M76 12h12v12M88 76v12H76M24 88H12V76" />
      </svg>
    </div>
  );
}

function CameraChoice({
  state: { cameras, current },
  onChoose,
}: {
  state: Extract<CameraState, { phase: "looking" }>;
  onChoose: (id: string) => void;
}) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-11 items-center gap-2 rounded-base border border-input px-3">
      <span className="text-muted-foreground text-sm">Camera</span>
      <select
        id={id}
        value={current}
        onChange={(event) => onChoose(event.currentTarget.value)}
        className="min-w-0 grow bg-card py-2"
      >
        {cameras.map((camera) => (
          <option key={camera.id} value={camera.id}>
            {camera.name}
          </option>
        ))}
      </select>
    </label>
  );
}
