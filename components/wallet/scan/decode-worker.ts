import { makeCodeFinder, type ScanSource } from "./find-code.ts";

/**
 * A message to the worker. The picture is transferred, not copied. The worker replies with the text of its code, or
 * null.
 */
export type DecodeRequest = { picture: ImageBitmap; effort: ScanSource };

const findCode = makeCodeFinder();

/*
 * Decodes off the main thread: receives a picture and replies with the text of its code, or null. Handles one at a
 * time, in order. The picture stays on the device, in this thread.
 */
globalThis.onmessage = ({ data: { picture, effort } }: MessageEvent<DecodeRequest>) => {
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = context?.getImageData(0, 0, width, height);
  postMessage(pixels ? findCode(pixels, effort) : null);
};
