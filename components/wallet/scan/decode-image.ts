import { decodeQR } from "qr/decode.js";

/** A frame of a camera, of which another one comes at once; or one picture, worth all patience. */
export type Effort = "frame" | "picture";

const PICTURE_TIME_MS = 2_000;
const PICTURE_EFFORT = 8;

/** The text of the QR code in a picture (RGBA), or null when none can be read. */
export function decodeImage(
  picture: { width: number; height: number; data: Uint8ClampedArray | Uint8Array },
  effort: Effort,
): string | null {
  const options = effort === "picture" ? { effort: PICTURE_EFFORT, timeLimit: PICTURE_TIME_MS } : {};
  try {
    return decodeQR({ width: picture.width, height: picture.height, data: picture.data }, options);
  } catch {
    // The decoder throws where it finds nothing.
    return null;
  }
}
