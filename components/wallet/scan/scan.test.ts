import fc from "fast-check";
import encodeQR from "qr";
import { describe, expect, test } from "vitest";
import { centredSquare, pictureSize } from "./decoder.ts";
import { makeCodeFinder, type Pixels, type ScanSource } from "./find-code.ts";
import { explainCameraError, nameCameras } from "./scanner.tsx";

const PAYLOAD = `svc://auth?${new URLSearchParams({
  webhook: "https://login.example.com/webhook/login",
  session: "6VfK_AE3DDEeI4JRstlP0moLSS3B7YFM",
  challenge: `svc:login:login.example.com:1700000000:${"aB3".repeat(11).slice(0, 32)}`,
  ts: "1700000000",
})}`;
const FAST = "https://example.com/api/fastauth?sid=a_1&c=b_1&t=6553f100";

/** Rotated by `degrees`, on grey, with noise. */
function photograph(text: string, { side = 720, degrees = 0, noise = 0 } = {}) {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const modules = encodeQR(text, "raw", { border: 4, ecc: "low" });
  const data = new Uint8ClampedArray(side * side * 4);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const scale = (side * 0.68) / modules.length;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [dx, dy] = [x - side / 2, y - side / 2];
      const column = Math.floor((dx * cos + dy * sin) / scale + modules.length / 2);
      const row = Math.floor((dy * cos - dx * sin) / scale + modules.length / 2);
      const module = modules[row]?.[column];
      const paper = module === undefined ? 120 : module ? 40 : 215;
      const light = paper + (random() - 0.5) * noise;
      data.set([light, light, light, 255], (y * side + x) * 4);
    }
  }
  return { width: side, height: side, data };
}

const findCode = (pixels: Pixels, effort: ScanSource) => makeCodeFinder()(pixels, effort);

describe("a camera frame", () => {
  test.each([
    ["straight", {}],
    ["small", { side: 320 }],
    ["turned by 20 degrees", { degrees: 20 }],
    ["upside down", { degrees: 180 }],
    ["noisy", { noise: 60 }],
  ])("is decoded even under difficult conditions: %s", (_, look) => {
    expect(findCode(photograph(PAYLOAD, look), "picture")).toBe(PAYLOAD);
  });

  test("can contain either form of a login code, or a fast login URL", () => {
    const https = "https://example.com/webhook/login?s=abc&c=svc%3Alogin%3Aexample.com%3A1700000000%3Aabc";
    for (const text of [https, FAST]) expect(findCode(photograph(text), "frame")).toBe(text);
  });

  test("yields no result if it does not contain a code", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64 * 64, maxLength: 64 * 64 }), (luma) => {
        const data = Uint8Array.from([...luma].flatMap((light) => [light, light, light, 255]));
        expect(findCode({ width: 64, height: 64, data }, "frame")).toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});

const WIFI = "WIFI:T:WPA;S=Guests;P=correct horse battery staple;;";

type PlacedCode = { text: string; x: number; y: number; side: number };

/** On light grey, each in its own square. */
function arrange(...codes: PlacedCode[]): Pixels {
  const side = 720;
  const data = new Uint8ClampedArray(side * side * 4).fill(230);
  for (const { text, x, y, side: ownSide } of codes) {
    const modules = encodeQR(text, "raw", { border: 4, ecc: "low" });
    const scale = ownSide / modules.length;
    for (let row = 0; row < ownSide; row++) {
      for (let column = 0; column < ownSide; column++) {
        const isDark = modules[Math.floor(row / scale)]?.[Math.floor(column / scale)];
        data.fill(
          isDark ? 30 : 250,
          4 * ((y + row) * side + x + column),
          4 * ((y + row) * side + x + column) + 3,
        );
      }
    }
  }
  return { width: side, height: side, data };
}

function mirror({ width, height, data }: Pixels): Pixels {
  const flipped = new Uint8ClampedArray(data.length);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = 4 * (row * width + column);
      flipped.set(data.subarray(from, from + 4), 4 * (row * width + (width - 1 - column)));
    }
  }
  return { width, height, data: flipped };
}

const login = (x: number, y: number, side: number) => ({ text: PAYLOAD, x, y, side });
const wifi = (x: number, y: number, side: number) => ({ text: WIFI, x, y, side });

const FRAMES: Record<string, Pixels> = {
  "a Wi-Fi code to its left": arrange(wifi(20, 200, 320), login(370, 200, 330)),
  "a Wi-Fi code to its right": arrange(login(20, 200, 330), wifi(380, 200, 320)),
  "a larger Wi-Fi code above it": arrange(wifi(160, 10, 400), login(200, 410, 300)),
  "a smaller Wi-Fi code below it": arrange(login(150, 10, 420), wifi(260, 460, 200)),
  "Wi-Fi codes on both sides": arrange(wifi(10, 260, 190), login(205, 200, 310), wifi(520, 260, 190)),
  "a mirror image": mirror(photograph(PAYLOAD)),
};

describe("the search for the login's code", () => {
  test.each(Object.entries(FRAMES))(
    "finds the code within ten frames, whatever else is visible: %s",
    (_, pixels) => {
      const find = makeCodeFinder();
      const texts = Array.from({ length: 10 }, () => find(pixels, "frame"));
      expect(texts).toContain(PAYLOAD);
    },
  );

  test.each(Object.entries(FRAMES))(
    "finds the code immediately, whatever else is in the picture: %s",
    (_, pixels) => {
      expect(makeCodeFinder()(pixels, "picture")).toBe(PAYLOAD);
    },
  );

  test("returns a code of another kind if it is the only one in the frame", () => {
    expect(makeCodeFinder()(arrange(wifi(160, 160, 400)), "frame")).toBe(WIFI);
  });
});

describe("the part of a picture that is decoded", () => {
  test("is the visible square in the middle of a frame", () => {
    expect(centredSquare(1280, 720)).toEqual({ x: 280, y: 0, side: 720, scaled: 720 });
    expect(centredSquare(1080, 1920)).toEqual({ x: 0, y: 420, side: 1080, scaled: 720 });
    expect(centredSquare(320, 240)).toEqual({ x: 40, y: 0, side: 240, scaled: 240 });
  });

  test("is the whole picture, scaled down, for an image file", () => {
    expect(pictureSize(4000, 3000)).toEqual({ width: 1600, height: 1200 });
    expect(pictureSize(800, 600)).toEqual({ width: 800, height: 600 });
    expect(pictureSize(100_000, 1)).toEqual({ width: 1600, height: 1 });
  });
});

test("explains every camera failure and suggests an alternative", () => {
  for (const name of ["NotAllowedError", "NotFoundError", "NotReadableError", "TypeError"]) {
    expect(explainCameraError(new DOMException("x", name))).toMatch(/image or the link\.$/);
  }
  expect(explainCameraError(undefined)).toMatch(/does not let this page use a camera/);
});

test("numbers unnamed cameras", () => {
  const device = (kind: MediaDeviceKind, deviceId: string, label: string) => ({ kind, deviceId, label });
  const devices = [
    device("audioinput", "m", "Mic"),
    device("videoinput", "a", ""),
    device("videoinput", "b", "Rear"),
  ];
  expect(nameCameras(devices.map((all) => ({ ...all, groupId: "", toJSON: () => "" })))).toEqual([
    { id: "a", name: "Camera 1" },
    { id: "b", name: "Rear" },
  ]);
});
