import type { Effort } from "./decode-image.ts";

/** To the worker; the picture is handed over, not copied. */
export type DecodeQuestion = { picture: ImageBitmap; effort: Effort };
/** From the worker, in the order of the questions. */
export type DecodeAnswer = { text: string | null };

/** Reads QR codes in a worker of its own. */
export type Decoder = {
  /** The text in the picture, or null. The picture is the decoder's from here on. @throws {DecoderError} */
  decode: (picture: ImageBitmap, effort: Effort) => Promise<string | null>;
  /** Ends the worker; what is being decoded is forgotten. */
  close: () => void;
};

/** The decoder's worker did not start, or has failed. Its message is for people. */
export class DecoderError extends Error {
  constructor() {
    super("This page could not load its code reader. Reload the page, or paste the code as text.");
  }
}

/** Starts a decoder. */
export function startDecoder(): Decoder {
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), { type: "module" });
  const waiting: PromiseWithResolvers<string | null>[] = [];
  let failure: DecoderError | undefined;
  worker.addEventListener("message", ({ data }: MessageEvent<DecodeAnswer>) =>
    waiting.shift()?.resolve(data.text),
  );
  worker.addEventListener("error", () => {
    failure = new DecoderError();
    for (const { reject } of waiting.splice(0)) reject(failure);
  });
  return {
    decode: (picture, effort) => {
      if (failure) return Promise.reject(failure);
      const answer = Promise.withResolvers<string | null>();
      waiting.push(answer);
      const question: DecodeQuestion = { picture, effort };
      worker.postMessage(question, [picture]);
      return answer.promise;
    },
    close: () => worker.terminate(),
  };
}
