import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripJpegMetadata } from "./profile-picture.ts";

/** 8 × 8 pixels, as a browser's canvas encodes it. */
const JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAbEAEAAAcAAAAAAAAAAAAAAAAAFSQxUmSCkf/EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAFhEBAQEAAAAAAAAAAAAAAAAAAQAR/9oADAMBAAIRAxEAPwCSMMy9ruUAUgyMt//Z",
  "base64",
);

/** Inserts it at the start of the picture. */
function withSegment(kind: number, content: string | Uint8Array): Buffer {
  const body = Buffer.from(content);
  const head = Buffer.from([0xff, kind, (body.length + 2) >> 8, (body.length + 2) & 0xff]);
  return Buffer.concat([JPEG.subarray(0, 2), head, body, JPEG.subarray(2)]);
}

function withSides(width: number, height: number): Buffer {
  const sized = Buffer.from(JPEG);
  const frame = sized.indexOf(Buffer.from([0xff, 0xc0]));
  sized.writeUInt16BE(height, frame + 5);
  sized.writeUInt16BE(width, frame + 7);
  return sized;
}

describe("a profile picture", () => {
  const cleanPicture = stripJpegMetadata(JPEG);

  test("keeps its image data when it is cleaned, and does not change when it is cleaned again", () => {
    if (!cleanPicture) throw new Error("not read");
    const scan = JPEG.indexOf(Buffer.from([0xff, 0xda]));
    expect(cleanPicture.includes(JPEG.subarray(scan))).toBe(true);
    expect(stripJpegMetadata(cleanPicture)).toEqual(cleanPicture);
  });

  test.each([
    ["the location (EXIF)", 0xe1, "Exif\0\0GPS 52.5200 13.4050"],
    ["a comment with markup", 0xfe, "<script>alert(1)</script>"],
    ["a colour profile", 0xe2, "ICC_PROFILE\0"],
  ])("is stripped of metadata: %s", (_what, kind, content) => {
    expect(stripJpegMetadata(withSegment(kind, content))).toEqual(cleanPicture);
  });

  test("is stripped of any bytes after the end of the image", () => {
    expect(stripJpegMetadata(Buffer.concat([JPEG, Buffer.from("PK\u0003\u0004 an archive")]))).toEqual(
      cleanPicture,
    );
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ["markup", Buffer.from("<svg onload=alert(1)>")],
    ["only its first bytes", JPEG.subarray(0, 2)],
    ["a truncated picture", JPEG.subarray(0, JPEG.length - 2)],
    ["a picture without a frame", Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ["a segment longer than the file", Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0xff, 0xff, 0])],
    ["a picture of 513 pixels", withSides(513, 8)],
    ["a picture of 65535 pixels", withSides(8, 65_535)],
    ["a picture without pixels", withSides(0, 8)],
  ])("is refused if it is not a suitable JPEG: %s", (_what, bytes) => {
    expect(stripJpegMetadata(bytes)).toBeNull();
  });

  test("never grows when it is cleaned, whatever it contains", () => {
    const tail = fc.uint8Array({ maxLength: 2_000 });
    fc.assert(
      fc.property(fc.nat({ max: JPEG.length }), tail, (length, bytes) => {
        const upload = Buffer.concat([JPEG.subarray(0, length), bytes]);
        expect((stripJpegMetadata(upload) ?? Buffer.alloc(0)).length).toBeLessThanOrEqual(upload.length);
      }),
    );
  });
});
