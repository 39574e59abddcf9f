export const PICTURE_LIMIT_BYTES = 32 * 1024;
/** The maximum width and height. The page creates pictures half this size. */
export const PICTURE_LIMIT_PIXELS = 512;

const MARK = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Every browser supports these: baseline and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2];
/**
 * Other segments that are needed for decoding: tables and the restart interval. All others are metadata, such as the
 * location.
 */
const TABLES = [0xc4, 0xdb, 0xdd];
const DRAWING = [...FRAMES, ...TABLES, SCAN, END];

/**
 * Metadata and other formats inside the JPEG are neither stored nor served.
 * @returns null if the bytes are not a JPEG, are damaged, or contain a picture that is wider or higher than 512 pixels
 */
export function stripJpegMetadata(bytes: Uint8Array): Buffer<ArrayBuffer> | null {
  if (bytes[0] !== MARK || bytes[1] !== START) return null;
  const segments = readSegments(bytes);
  const frames = segments?.filter(({ kind }) => FRAMES.includes(kind)) ?? [];
  const [frame] = frames;
  if (!segments || !frame || frames.length > 1 || !isSmall(bytes.subarray(frame.at + 4, frame.end)))
    return null;
  const drawnSegments = segments.filter(({ kind }) => DRAWING.includes(kind));
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...drawnSegments.map(({ at, end }) => bytes.subarray(at, end)),
  ]);
}

type Segment = { kind: number; at: number; end: number };

/** After the start marker. Null if the picture is damaged. */
function readSegments(bytes: Uint8Array): Segment[] | null {
  const segments: Segment[] = [];
  for (let at = 2; ; ) {
    const segment = readSegment(bytes, at);
    if (segment === null) return null;
    segments.push(segment);
    if (segment.kind === END) return segments;
    at = segment.end;
  }
}

/** Null if the segment is missing or truncated. */
function readSegment(bytes: Uint8Array, at: number): Segment | null {
  const kind = bytes[at] === MARK ? bytes[at + 1] : undefined;
  if (kind === undefined) return null;
  if (kind === END) return { kind, at, end: at + 2 };
  const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  const end = at + 2 + length;
  if (length < 2 || end > bytes.length) return null;
  return { kind, at, end: kind === SCAN ? endOfScan(bytes, end) : end };
}

/** The height and width follow the precision byte. */
function isSmall([, high = 0, low = 0, wide = 0, width = 0]: Uint8Array): boolean {
  const sides = [(high << 8) | low, (wide << 8) | width];
  return sides.every((pixels) => pixels > 0 && pixels <= PICTURE_LIMIT_PIXELS);
}

/** A scan ends at the next marker that is not an escaped 0xff or a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === MARK && next !== 0 && (next < 0xd0 || next > 0xd7)) break;
    at++;
  }
  return at;
}
