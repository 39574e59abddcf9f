import type { Effort } from "./decode-image.ts";

/** To the worker; the picture is handed over, not copied. */
export type DecodeQuestion = { picture: ImageBitmap; effort: Effort };
/** From the worker, in the order of the questions. */
export type DecodeAnswer = { text: string | null };

/** Reads QR codes in a worker of its own. */
export type Decoder = {
  /** The text in the picture, or null. The picture is the decoder's from here on. */
  decode: (picture: ImageBitmap, effort: Effort) => Promise<string | null>;
  /** Ends the worker; what is being decoded is forgotten. */
  close: () => void;
};

/** Starts a decoder. */
export function startDecoder(): Decoder {
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), { type: "module" });
  const waiting: ((text: string | null) => void)[] = [];
  const answer = (text: string | null) => waiting.shift()?.(text);
  worker.addEventListener("message", ({ data }: MessageEvent<DecodeAnswer>) => answer(data.text));
  worker.addEventListener("error", () => answer(null));
  return {
    decode: (picture, effort) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        const question: DecodeQuestion = { picture, effort };
        worker.postMessage(question, [picture]);
      }),
    close: () => worker.terminate(),
  };
}
