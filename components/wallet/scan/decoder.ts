import type { DecodeRequest } from "./decode-worker.ts";
import type { ScanSource } from "./find-code.ts";

/** The decoder's worker did not start or has failed. Its message is for people. */
export class DecoderError extends Error {
  constructor() {
    super("This page could not load its code reader. Reload the page, or paste the code as text.");
  }
}

/** Starts a decoder in a separate worker, which decodes pictures one at a time. */
export function startDecoder() {
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), { type: "module" });
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = () => reject(new DecoderError());
  });
  // The worker may fail while it is idle and there is no caller.
  failed.catch(() => {});
  return {
    /**
     * The text in the picture, or null. The decoder takes ownership of the picture.
     * @throws {DecoderError}
     */
    decode: (picture: ImageBitmap, effort: ScanSource): Promise<string | null> => {
      const read = new Promise<string | null>((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
      });
      const question: DecodeRequest = { picture, effort };
      worker.postMessage(question, [picture]);
      return Promise.race([read, failed]);
    },
    /** Ends the worker and discards the current picture. */
    close: () => worker.terminate(),
  };
}

/** The longest side of a decoded frame. More pixels take longer and do not improve the result. */
const FRAME_PIXELS = 720;
/** The longest side of a picture from a file, after scaling down. */
const PICTURE_PIXELS = 1600;

/**
 * Returns the largest square in the middle of a frame, which is what the person sees, and the side to which it is
 * scaled.
 */
export function centredSquare(width: number, height: number) {
  const side = Math.min(width, height);
  return {
    x: Math.floor((width - side) / 2),
    y: Math.floor((height - side) / 2),
    side,
    scaled: Math.max(1, Math.min(side, FRAME_PIXELS)),
  };
}

/** Returns the size to which a whole picture is scaled. */
export function pictureSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, PICTURE_PIXELS / Math.max(width, height, 1));
  const shrink = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: shrink(width), height: shrink(height) };
}

/** Returns the text of the QR code in an image file, or null if none can be read. Never throws. */
export async function readImageFile(file: Blob): Promise<string | null> {
  const decoder = startDecoder();
  try {
    const original = await createImageBitmap(file);
    const { width, height } = pictureSize(original.width, original.height);
    const picture = await createImageBitmap(original, { resizeWidth: width, resizeHeight: height });
    original.close();
    return await decoder.decode(picture, "picture");
  } catch {
    return null;
  } finally {
    decoder.close();
  }
}
