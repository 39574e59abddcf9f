"use client";

import { Flashlight, FlashlightOff } from "lucide-react";
import { useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { FocusedHeading } from "../parts.tsx";
import { useCamera } from "./use-camera.ts";

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
  const { state, choose, torchOn, toggleTorch } = useCamera(video, onFound);
  const TorchIcon = torchOn ? FlashlightOff : Flashlight;
  return (
    <Card aria-labelledby="scan-title" data-scan={state.phase}>
      <FocusedHeading id="scan-title">Scan a code</FocusedHeading>
      <p role="status" className="text-muted-foreground text-sm">
        {WORDS[state.phase]}
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
          {state.hasTorch && (
            <Button onClick={toggleTorch} aria-pressed={torchOn}>
              <TorchIcon aria-hidden className="size-4" />
              {torchOn ? "Light off" : "Light on"}
            </Button>
          )}
          {state.cameras.length > 1 && (
            <label className="flex min-h-11 items-center gap-2 rounded-base border border-input px-3">
              <span className="text-muted-foreground text-sm">Camera</span>
              <select
                value={state.current}
                onChange={(event) => choose(event.currentTarget.value)}
                className="min-w-0 grow bg-card py-2"
              >
                {state.cameras.map((camera) => (
                  <option key={camera.id} value={camera.id}>
                    {camera.name}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
      )}
      <Button onClick={onStop} className="mt-4 w-full">
        {state.phase === "failed" ? "Back" : "Stop scanning"}
      </Button>
    </Card>
  );
}

const WORDS = {
  starting: "Starting the camera…",
  looking: "Hold the code inside the frame.",
  failed: "The camera cannot be used.",
};

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
