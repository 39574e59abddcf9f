import { makeCodeFinder, type ScanSource } from "./find-code.ts";

/** To the worker; the picture is handed over, not copied. The worker answers with the text of its code, or null. */
export type DecodeQuestion = { picture: ImageBitmap; effort: ScanSource };

const findCode = makeCodeFinder();

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
  postMessage(pixels ? findCode(pixels, effort) : null);
};
