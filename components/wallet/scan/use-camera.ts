"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import {
  cameraConstraints,
  cameraNames,
  cameraProblem,
  centreSquare,
  switchTorch,
  torchOf,
} from "./camera.ts";
import { startDecoder } from "./decoder.ts";

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
