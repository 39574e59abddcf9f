import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import encodeQR from "qr";

const [WIDTH, HEIGHT, FRAMES] = [1280, 720, 3];
const [PAPER, INK, NEUTRAL] = [225, 30, 128];
const QUIET_ZONE_MODULES = 4;
/** As if a phone were held at arm's length from a screen. */
const SHARE_OF_HEIGHT = 0.7;

/** Chromium reads the Y4M file again at each `getUserMedia`. Start the browser with `args`. */
export class FakeCamera {
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-camera-"));
  readonly #file = join(this.#folder, "camera.y4m");
  readonly args = [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${this.#file}`,
  ];

  constructor() {
    this.show(null);
  }

  /** Null shows a grey wall. */
  show(text: string | null): void {
    const luma = Buffer.alloc(WIDTH * HEIGHT, 120);
    if (text !== null) drawCode(luma, text);
    const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, NEUTRAL);
    const frame = Buffer.concat([Buffer.from("FRAME\n"), luma, chroma]);
    const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`);
    writeFileSync(this.#file, Buffer.concat([header, ...Array.from({ length: FRAMES }, () => frame)]));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function drawCode(luma: Buffer, text: string): void {
  const modules = encodeQR(text, "raw", { border: QUIET_ZONE_MODULES, ecc: "low" });
  const scale = Math.floor((HEIGHT * SHARE_OF_HEIGHT) / modules.length);
  const side = scale * modules.length;
  const [left, top] = [Math.floor((WIDTH - side) / 2), Math.floor((HEIGHT - side) / 2)];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)];
      luma[(top + y) * WIDTH + left + x] = dark ? INK : PAPER;
    }
  }
}
