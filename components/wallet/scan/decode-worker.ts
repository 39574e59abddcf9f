import { makeCodeFinder, type ScanSource } from "./find-code.ts";

/** The picture is transferred and not copied. The worker replies with the QR code's text, or null. */
export type DecodeRequest = { picture: ImageBitmap; effort: ScanSource };

const findCode = makeCodeFinder();

/* Outside the main thread, one picture at a time and in order. Pictures never leave the device. */
globalThis.onmessage = ({ data: { picture, effort } }: MessageEvent<DecodeRequest>) => {
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = context?.getImageData(0, 0, width, height);
  postMessage(pixels ? findCode(pixels, effort) : null);
};
