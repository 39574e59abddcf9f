import type { DecodeRequest } from "./decode-worker.ts";
import type { ScanSource } from "./find-code.ts";

/** The worker could not start or has failed. Users see the message. */
export class DecoderError extends Error {
  constructor() {
    super("This page could not load its code reader. Reload the page, or paste the code as text.");
  }
}

/** Decodes one picture at a time. */
export function startDecoder() {
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), { type: "module" });
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = () => reject(new DecoderError());
  });
  // The worker can fail while no caller is waiting.
  failed.catch(() => {});
  return {
    /**
     * Takes ownership of the picture.
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
    /** Stops the worker even while it is decoding. */
    close: () => worker.terminate(),
  };
}

/** The maximum side length. Decoding more pixels takes longer and does not improve the result. */
const FRAME_PIXELS = 720;
/** The maximum side length of a picture from a file. */
const PICTURE_PIXELS = 1600;

/** The user sees only this square. */
export function centredSquare(width: number, height: number) {
  const side = Math.min(width, height);
  return {
    x: Math.floor((width - side) / 2),
    y: Math.floor((height - side) / 2),
    side,
    scaled: Math.max(1, Math.min(side, FRAME_PIXELS)),
  };
}

export function pictureSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, PICTURE_PIXELS / Math.max(width, height, 1));
  const shrink = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: shrink(width), height: shrink(height) };
}

/** Null if no QR code can be read. Never throws. */
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
