import { DecoderError } from "./decoder.ts";

/** The frame that is decoded is no larger: more pixels cost time and read no better. */
export const FRAME_PIXELS = 720;
/** A picture from a file is scaled down to this. */
export const PICTURE_PIXELS = 1600;

/** A rectangle of a picture, and the size it is scaled to. */
export type Crop = {
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
export function cameraConstraints(deviceId: string | null): MediaStreamConstraints {
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
export function torchOf(track: MediaStreamTrack | undefined): boolean | undefined {
  const capabilities: object = track?.getCapabilities?.() ?? {};
  // Not in the DOM's types: Media Capture's image extension.
  return "torch" in capabilities && capabilities.torch === true ? true : undefined;
}

/** Switches the light. Rejects when the camera does not let it. */
export async function switchTorch(track: MediaStreamTrack, on: boolean): Promise<void> {
  const torch: object = { torch: on };
  await track.applyConstraints({ advanced: [torch] });
}
