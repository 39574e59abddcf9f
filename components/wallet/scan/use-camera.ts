"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { DecoderError, startDecoder } from "./decoder.ts";

/** A camera's state, as the person sees it. */
export type CameraState =
  | { phase: "starting" }
  | { phase: "looking"; cameras: { id: string; name: string }[]; current: string; torch: boolean | undefined }
  | { phase: "failed"; message: string };

/** Looks for a code with the camera until one is found; the camera is off again as soon as this is gone. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onFound: (text: string) => void) {
  const [state, setState] = useState<CameraState>({ phase: "starting" });
  const [chosen, setChosen] = useState<string | null>(null);
  const [torchOn, setTorchOn] = useState(false);
  const stream = useRef<MediaStream>(null);
  const found = useRef(onFound);
  found.current = onFound;

  useEffect(() => {
    let over = false;
    setState({ phase: "starting" });
    setTorchOn(false);
    const decoder = startDecoder();
    const run = async () => {
      const opened = await openCamera(chosen);
      if (over) return stop(opened);
      stream.current = opened;
      const element = video.current;
      if (!element) return;
      element.srcObject = opened;
      await element.play();
      if (!over) setState(await describe(opened));
      while (!over) {
        await nextFrame(element);
        if (over || element.videoWidth === 0) continue;
        const text = await decoder.decode(await grab(element), "frame");
        if (text !== null && !over) {
          over = true;
          found.current(text);
        }
      }
    };
    run().catch((error: unknown) => {
      if (!over) setState({ phase: "failed", message: cameraProblem(error) });
    });
    return () => {
      over = true;
      decoder.close();
      stop(stream.current);
      stream.current = null;
    };
  }, [video, chosen]);

  const toggleTorch = useCallback(async () => {
    const [track] = stream.current?.getVideoTracks() ?? [];
    if (!track) return;
    await switchTorch(track, !torchOn).then(
      () => setTorchOn(!torchOn),
      () => setState((now) => (now.phase === "looking" ? { ...now, torch: undefined } : now)),
    );
  }, [torchOn]);

  return { state, choose: setChosen, torchOn, toggleTorch };
}

async function openCamera(deviceId: string | null): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new Error("no camera");
  return await navigator.mediaDevices.getUserMedia(cameraConstraints(deviceId));
}

async function describe(stream: MediaStream): Promise<CameraState> {
  const [track] = stream.getVideoTracks();
  const cameras = cameraNames(await navigator.mediaDevices.enumerateDevices());
  return { phase: "looking", cameras, current: track?.getSettings().deviceId ?? "", torch: torchOf(track) };
}

/** The next frame that the video shows, or the screen's next, where the browser cannot tell. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => resolve());
    else requestAnimationFrame(() => resolve());
  });
}

async function grab(video: HTMLVideoElement): Promise<ImageBitmap> {
  const { x, y, width, height, scaled } = centreSquare(video.videoWidth, video.videoHeight);
  return await createImageBitmap(video, x, y, width, height, {
    resizeWidth: scaled.width,
    resizeHeight: scaled.height,
  });
}

function stop(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** The frame that is decoded is no larger: more pixels cost time and read no better. */
const FRAME_PIXELS = 720;
/** A picture from a file is scaled down to this. */
const PICTURE_PIXELS = 1600;

/** A rectangle of a picture, and the size it is scaled to. */
type Crop = {
  x: number;
  y: number;
  width: number;
  height: number;
  scaled: { width: number; height: number };
};

/** The largest square in the middle, which is what the person sees. */
export function centreSquare(width: number, height: number, limit = FRAME_PIXELS): Crop {
  const side = Math.min(width, height);
  const scaled = Math.max(1, Math.min(side, limit));
  return {
    x: Math.floor((width - side) / 2),
    y: Math.floor((height - side) / 2),
    width: side,
    height: side,
    scaled: { width: scaled, height: scaled },
  };
}

/** The whole of a picture, scaled to fit `limit`. */
export function wholePicture(width: number, height: number, limit = PICTURE_PIXELS): Crop {
  const scale = Math.min(1, limit / Math.max(width, height, 1));
  const shrink = (side: number) => Math.max(1, Math.round(side * scale));
  return { x: 0, y: 0, width, height, scaled: { width: shrink(width), height: shrink(height) } };
}

/** What to ask of the browser: a chosen camera, else the one that looks away from the person. */
function cameraConstraints(deviceId: string | null): MediaStreamConstraints {
  const which = deviceId === null ? { facingMode: "environment" } : { deviceId: { exact: deviceId } };
  return { audio: false, video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } } };
}

/** Why there is no picture, in plain words with what to do; `error` is what `getUserMedia` threw. */
export function cameraProblem(error: unknown): string {
  if (error instanceof DecoderError) return error.message;
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return "This page may not use the camera. Allow it in the browser’s settings for this site, or use an image or the link.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "No camera was found. Use an image or the link.";
    case "NotReadableError":
    case "AbortError":
      return "The camera is in use by something else. Close that and try again, or use an image or the link.";
    default:
      return "This browser gives no camera to this page. Use an image or the link.";
  }
}

/** A name for each camera; browsers leave them empty until one may be used. */
export function cameraNames(devices: readonly MediaDeviceInfo[]): { id: string; name: string }[] {
  return devices
    .filter(({ kind }) => kind === "videoinput")
    .map(({ deviceId, label }, place) => ({ id: deviceId, name: label || `Camera ${place + 1}` }));
}

/** The light beside the lens: `undefined` when the camera has none (or the browser does not tell). */
function torchOf(track: MediaStreamTrack | undefined): boolean | undefined {
  const capabilities: object = track?.getCapabilities?.() ?? {};
  // Not in the DOM's types: Media Capture's image extension.
  return "torch" in capabilities && capabilities.torch === true ? true : undefined;
}

/** Switches the light. Rejects when the camera does not let it. */
async function switchTorch(track: MediaStreamTrack, on: boolean): Promise<void> {
  const torch: object = { torch: on };
  await track.applyConstraints({ advanced: [torch] });
}
