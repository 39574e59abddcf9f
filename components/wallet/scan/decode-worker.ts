import { decodeQR } from "qr/decode.js";

/** To the worker; the picture is handed over, not copied. The worker answers with the text of its code, or null. */
export type DecodeQuestion = { picture: ImageBitmap; effort: Effort };
/** A camera's frame, which the next one follows at once; or a single picture, which is worth all patience. */
export type Effort = "frame" | "picture";

const PICTURE_TIME_MS = 2_000;
const PICTURE_EFFORT = 8;

/*
 * Decodes off the main thread: a picture comes in, and the text of the code in it goes out, or null. One at a
 * time, in order. The picture stays on the device, and in this thread.
 */
globalThis.onmessage = ({ data: { picture, effort } }: MessageEvent<DecodeQuestion>) => {
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = context?.getImageData(0, 0, width, height);
  postMessage(pixels ? decodeImage(pixels, effort) : null);
};

/** The text of the QR code in a picture (RGBA), or null when none can be read. */
export function decodeImage(
  { width, height, data }: { width: number; height: number; data: Uint8ClampedArray | Uint8Array },
  effort: Effort,
): string | null {
  const options = effort === "picture" ? { effort: PICTURE_EFFORT, timeLimit: PICTURE_TIME_MS } : {};
  try {
    return decodeQR({ width, height, data }, options);
  } catch {
    // The decoder throws if it finds nothing.
    return null;
  }
}
