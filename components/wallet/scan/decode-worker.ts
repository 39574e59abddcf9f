import { decodeImage } from "./decode-image.ts";
import type { DecodeAnswer, DecodeQuestion } from "./decoder.ts";

/*
 * Decoding, off the main thread: a picture comes in, the text of the code in it goes out, or null. One at a
 * time, in order. The picture never leaves the device, nor this thread.
 */
addEventListener("message", ({ data: { picture, effort } }: MessageEvent<DecodeQuestion>) => {
  const answer: DecodeAnswer = { text: read(picture, effort) };
  postMessage(answer);
});

function read(picture: ImageBitmap, effort: DecodeQuestion["effort"]): string | null {
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = context?.getImageData(0, 0, width, height);
  return pixels ? decodeImage(pixels, effort) : null;
}
