import { readPayload } from "@svc/wallet/read-payload";
import { decodeQR, type FinderPoints } from "qr/decode.js";

/**
 * A video frame is followed immediately by another. A picture from a file is the only one, so decoding it can take
 * longer.
 */
export type ScanSource = "frame" | "picture";

/** RGBA. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray | Uint8Array };

/** The decoder's limits for a picture from a file. A frame has the decoder's default limits. */
const PICTURE = { effort: 8, timeLimit: 2_000 };
const VIEW_OF_PICTURE = { effort: 8, timeLimit: 500 };
/**
 * The fraction of a side that a partial view covers. It is more than half, so that at least one view contains all of a
 * QR code in the middle.
 */
const PART = 0.625;

export function isLoginCode(text: string): boolean {
  try {
    readPayload(text);
    return true;
  } catch {
    return false;
  }
}

/** The maximum per view. */
const MAX_CODES = 4;

/**
 * Creates a function that looks for a QR code and returns its text, preferably a login's, or null. Other QR codes
 * confuse the decoder, and a front camera can mirror the image. So the function searches the whole image and also parts
 * of it and its mirror image: one of these views for each frame of a video, and all of them for a picture.
 */
export function makeCodeFinder(): (pixels: Pixels, effort: ScanSource) => string | null {
  let turn = 0;
  return (pixels, effort) => {
    const isPicture = effort === "picture";
    const wholeImageText = findIn(pixels, isPicture ? PICTURE : {});
    if (wholeImageText && isLoginCode(wholeImageText)) return wholeImageText;
    const views = isPicture ? VIEWS : [VIEWS[turn++ % VIEWS.length] ?? mirrorImage];
    const texts = views.map((view) => findIn(view(pixels), isPicture ? VIEW_OF_PICTURE : {}));
    return (
      texts.find((text) => text !== null && isLoginCode(text)) ??
      wholeImageText ??
      texts.find(Boolean) ??
      null
    );
  };
}

/** A login's QR payload, otherwise the first text, otherwise null. Paints over each unrelated QR code. */
function findIn(view: Pixels, patience: Partial<typeof PICTURE>): string | null {
  let firstText: string | null = null;
  let remainingView = view;
  for (let codes = 0; codes < MAX_CODES; codes++) {
    const found = decode(remainingView, patience);
    if (found === null) break;
    if (isLoginCode(found.text)) return found.text;
    firstText ??= found.text;
    remainingView = withoutCode(remainingView, found.points);
  }
  return firstText;
}

function decode(
  pixels: Pixels,
  patience: Partial<typeof PICTURE>,
): { text: string; points: FinderPoints } | null {
  let points: FinderPoints | undefined;
  const pointsOnDetect = (found: FinderPoints) => {
    points = found;
  };
  try {
    const text = decodeQR(pixels, { ...patience, pointsOnDetect });
    return points ? { text, points } : null;
  } catch {
    // The decoder throws if it finds no QR code.
    return null;
  }
}

type View = (pixels: Pixels) => Pixels;

const VIEWS: readonly View[] = [
  (pixels) => partOf(pixels, { from: 0, columns: PART }),
  (pixels) => partOf(pixels, { from: 1 - PART, columns: PART }),
  mirrorImage,
  (pixels) => partOf(pixels, { from: 0, rows: PART }),
  (pixels) => partOf(pixels, { from: 1 - PART, rows: PART }),
];

/** `from`, `columns` and `rows` are fractions of a side. */
function partOf(
  { width, height, data }: Pixels,
  { from, columns = 1, rows = 1 }: { from: number; columns?: number; rows?: number },
): Pixels {
  const [left, top] = columns < 1 ? [Math.floor(from * width), 0] : [0, Math.floor(from * height)];
  const size = { width: Math.floor(columns * width), height: Math.floor(rows * height) };
  const part = new Uint8ClampedArray(4 * size.width * size.height);
  for (let row = 0; row < size.height; row++) {
    const start = 4 * ((top + row) * width + left);
    part.set(data.subarray(start, start + 4 * size.width), 4 * row * size.width);
  }
  return { ...size, data: part };
}

function mirrorImage({ width, height, data }: Pixels): Pixels {
  const source = new Uint32Array(data.slice().buffer);
  const mirrored = new Uint32Array(source.length);
  for (let row = 0; row < height; row++) {
    mirrored.set(source.subarray(row * width, (row + 1) * width).reverse(), row * width);
  }
  return { width, height, data: new Uint8ClampedArray(mirrored.buffer) };
}

function withoutCode({ width, height, data }: Pixels, { bounds }: FinderPoints): Pixels {
  const limit = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), most);
  const [xs, ys] = [bounds.map(({ x }) => x), bounds.map(({ y }) => y)];
  const [left, right] = [limit(Math.min(...xs), width), limit(Math.max(...xs), width)];
  const [top, bottom] = [limit(Math.min(...ys), height), limit(Math.max(...ys), height)];
  const paintedData = data.slice();
  for (let row = top; row < bottom; row++) {
    paintedData.fill(255, 4 * (row * width + left), 4 * (row * width + right));
  }
  return { width, height, data: paintedData };
}
