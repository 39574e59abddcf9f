import { writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright/test";

const [WIDTH, HEIGHT] = [1400, 800];
const LAST_LOOK_MS = 1_000;

/**
 * Records two pages side by side in one WebM file. A canvas on a third page shows the screencasts of both pages, and
 * the browser records this canvas. Playwright's own recorder would have to be downloaded.
 */
export async function filmTwoScreens(browser: Browser, left: Page, right: Page) {
  const studio = await browser.newPage();
  await studio.evaluate(startRecorder, { width: WIDTH, height: HEIGHT });
  const screens = [...[left, right].entries()];
  const draw = (data: Buffer, place: number) =>
    studio.evaluate(drawFrame, { data: data.toString("base64"), place });
  for (const [place, page] of screens) {
    const size = { width: 1000, height: HEIGHT };
    await page.screencast.start({
      onFrame: ({ data }) => draw(data, place).catch(() => {}),
      quality: 80,
      size,
    });
  }
  return {
    async save(path: string): Promise<void> {
      for (const [, page] of screens) await page.screencast.stop();
      // On a busy machine, the screencasts lag behind. The last frame therefore consists of a screenshot of each page.
      for (const [place, page] of screens) await draw(await page.screenshot({ type: "jpeg" }), place);
      await studio.waitForTimeout(LAST_LOOK_MS);
      writeFileSync(path, Buffer.from(await studio.evaluate(stopRecorder), "base64"));
      await studio.close();
    },
  };
}

type Studio = Window & {
  studio: { canvas: HTMLCanvasElement; recorder: MediaRecorder; film: Promise<Blob> };
};

// Runs on the third page.

function startRecorder({ width, height }: { width: number; height: number }): void {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "#777";
    context.fillRect(0, 0, width, height);
  }
  document.body.append(canvas);
  const recorder = new MediaRecorder(canvas.captureStream(15), { mimeType: "video/webm" });
  const film = new Promise<Blob>((resolve) => {
    recorder.addEventListener("dataavailable", ({ data }) => resolve(data));
  });
  Object.assign(window, { studio: { canvas, recorder, film } });
  recorder.start();
}

async function drawFrame({ data, place }: { data: string; place: number }): Promise<void> {
  const { canvas } = (window as unknown as Studio).studio;
  const picture = new Image();
  picture.src = `data:image/jpeg;base64,${data}`;
  await picture.decode();
  const [x, width] = place === 0 ? [0, 1000] : [1010, 390];
  const height = (picture.height / picture.width) * width;
  canvas.getContext("2d")?.drawImage(picture, x, 0, width, height);
}

async function stopRecorder(): Promise<string> {
  const { recorder, film } = (window as unknown as Studio).studio;
  recorder.stop();
  const bytes = new Uint8Array(await (await film).arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
