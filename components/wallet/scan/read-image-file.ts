import { wholePicture } from "./camera.ts";
import { startDecoder } from "./decoder.ts";

/** The text of the QR code in an image file, or null when there is none that can be read. Never throws. */
export async function readImageFile(file: Blob): Promise<string | null> {
  const decoder = startDecoder();
  try {
    const original = await createImageBitmap(file);
    const { width, height } = wholePicture(original.width, original.height).scaled;
    const picture = await createImageBitmap(original, { resizeWidth: width, resizeHeight: height });
    original.close();
    return await decoder.decode(picture, "picture");
  } catch {
    return null;
  } finally {
    decoder.close();
  }
}
