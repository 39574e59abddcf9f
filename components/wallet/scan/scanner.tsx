"use client";

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button, FocusedHeading } from "#packages/react/ui/button.tsx";
import { Card, Notice } from "#packages/react/ui/elements.tsx";
import { Flashlight, FlashlightOff } from "#packages/react/ui/icons.tsx";
import { centredSquare, DecoderError, startDecoder } from "./decoder.ts";
import { isLoginCode } from "./find-code.ts";

/** Once the wallet has found a QR code, it only asks the user a question. */
export function Scanner({
  onFound,
  onStop,
  children,
}: {
  onFound: (text: string) => void;
  onStop: () => void;
  /** Ways to enter a QR code without a camera. */
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

type CameraState =
  | { phase: "starting" }
  | { phase: "looking"; cameras: { id: string; name: string }[]; current: string; hasTorch: boolean }
  | { phase: "failed"; message: string };

/**
 * After finding a QR code that is not a login's, the wallet looks this long for a login's QR code, which might be next
 * to the first.
 */
const OTHER_CODE_MS = 2_000;

/** Unmounting the component turns off the camera. */
function useCamera(video: RefObject<HTMLVideoElement | null>, onFound: (text: string) => void) {
  const [state, setState] = useState<CameraState>({ phase: "starting" });
  const [chosen, setChosen] = useState<string | null>(null);
  const [torchOn, setTorchOn] = useState(false);
  const stream = useRef<MediaStream>(null);
  const found = useEffectEvent(onFound);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setState({ phase: "starting" });
    setTorchOn(false);
    const decoder = startDecoder();
    const run = async () => {
      const newStream = await openCamera(chosen);
      if (signal.aborted) return stop(newStream);
      stream.current = newStream;
      const element = video.current;
      if (!element) return;
      element.srcObject = newStream;
      await element.play();
      const described = await describe(newStream);
      if (!signal.aborted) setState(described);
      const text = await findCode(element, decoder, signal);
      if (text !== null) found(text);
    };
    run().catch((error: unknown) => {
      if (!signal.aborted) setState({ phase: "failed", message: explainCameraError(error) });
    });
    return () => {
      controller.abort();
      decoder.close();
      stop(stream.current);
      stream.current = null;
    };
  }, [video, chosen]);

  const toggleTorch = async () => {
    // `torch` is missing from the DOM types. It belongs to the image capture extension.
    const torch: object = { torch: !torchOn };
    try {
      await stream.current?.getVideoTracks()[0]?.applyConstraints({ advanced: [torch] });
      setTorchOn(!torchOn);
    } catch {
      setState((now) => (now.phase === "looking" ? { ...now, hasTorch: false } : now));
    }
  };
  return { state, choose: setChosen, torchOn, toggleTorch };
}

/** Prefers a login's QR code. Null once `signal` is aborted. */
async function findCode(
  video: HTMLVideoElement,
  decoder: ReturnType<typeof startDecoder>,
  signal: AbortSignal,
): Promise<string | null> {
  let otherCodeSince: number | null = null;
  while (!signal.aborted) {
    await nextFrame(video);
    if (signal.aborted || video.videoWidth === 0) continue;
    const text = await decoder.decode(await grab(video), "frame");
    if (text === null || signal.aborted) continue;
    otherCodeSince ??= performance.now();
    if (isLoginCode(text) || performance.now() - otherCodeSince >= OTHER_CODE_MS) return text;
  }
  return null;
}

/** By default, a camera that faces away from the user. */
async function openCamera(deviceId: string | null): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new Error("no camera");
  const which = deviceId === null ? { facingMode: "environment" } : { deviceId: { exact: deviceId } };
  const video = { ...which, width: { ideal: 1280 }, height: { ideal: 720 } };
  return await navigator.mediaDevices.getUserMedia({ audio: false, video });
}

async function describe(stream: MediaStream): Promise<CameraState> {
  const [track] = stream.getVideoTracks();
  const cameras = nameCameras(await navigator.mediaDevices.enumerateDevices());
  // Some browsers lack `getCapabilities`, and its DOM type lacks `torch`.
  const capabilities: object = track?.getCapabilities?.() ?? {};
  const hasTorch = "torch" in capabilities && capabilities.torch === true;
  return { phase: "looking", cameras, current: track?.getSettings().deviceId ?? "", hasTorch };
}

/** In browsers that do not report a video's frames, waits for the screen's next frame. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => resolve());
    else requestAnimationFrame(() => resolve());
  });
}

async function grab(video: HTMLVideoElement): Promise<ImageBitmap> {
  const { x, y, side, scaled } = centredSquare(video.videoWidth, video.videoHeight);
  return await createImageBitmap(video, x, y, side, side, { resizeWidth: scaled, resizeHeight: scaled });
}

function stop(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** @param error the error from `getUserMedia` */
export function explainCameraError(error: unknown): string {
  if (error instanceof DecoderError) return error.message;
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return "This page is not allowed to use the camera. Allow it in the browser’s settings for this site, or use an image or the link.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "No camera was found. Use an image or the link.";
    case "NotReadableError":
    case "AbortError":
      return "Another app or page is using the camera. Close it and try again, or use an image or the link.";
    default:
      return "This browser does not let this page use a camera. Use an image or the link.";
  }
}

/** Browsers provide no names until the user allows access. */
export function nameCameras(devices: readonly MediaDeviceInfo[]): { id: string; name: string }[] {
  return devices
    .filter(({ kind }) => kind === "videoinput")
    .map(({ deviceId, label }, place) => ({ id: deviceId, name: label || `Camera ${place + 1}` }));
}
