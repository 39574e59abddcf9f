const SIDE = 256;
/** What the server takes, as base64. */
const LONGEST = 43_000;
const QUALITIES = [0.86, 0.6, 0.3];

/**
 * The middle of a picture as a small JPEG, made anew from its pixels: what else the file told, such as where it was
 * taken, stays on the device.
 * @returns a data URL; null for what this browser cannot read as a picture
 */
export async function squareJpeg(file: Blob): Promise<string | null> {
  const image = await createImageBitmap(file).catch(() => null);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (!image || !context) return null;
  const side = Math.min(image.width, image.height);
  // JPEG has no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(
    image,
    ...([(image.width - side) / 2, (image.height - side) / 2, side, side] as const),
    ...([0, 0, SIDE, SIDE] as const),
  );
  image.close();
  const made = QUALITIES.map((quality) => canvas.toDataURL("image/jpeg", quality));
  return made.find((url) => url.length <= LONGEST) ?? null;
}
