/** Consists of QR code modules. The key's bow is a finder pattern. */
const KEY = [
  "#######............",
  "#.....#............",
  "#.###.#............",
  "#.###.#############",
  "#.###.#......#.##.#",
  "#.....#......#..#..",
  "#######............",
];
const COLUMNS = 37;
const ROWS = 17;
const LEFT = (COLUMNS - 19) / 2;
const TOP = (ROWS - 7) / 2;
/** From the centre outwards. */
const SHADES = [0.14, 0.09, 0.05];

/** SVG path data. The stroke rounds the corners. */
const squares = (modules: readonly (readonly [number, number])[]) =>
  modules.map(([x, y]) => `M${8 * x + 1.5} ${8 * y + 1.5}h5v5h-5z`).join("");

const ALL = Array.from(
  { length: COLUMNS * ROWS },
  (_, at) => [at % COLUMNS, Math.floor(at / COLUMNS)] as const,
);
const isKey = (x: number, y: number) => KEY[y - TOP]?.[x - LEFT] === "#";
/** Like the margin around a finder pattern. */
const isNearKey = (x: number, y: number) =>
  (x >= LEFT - 1 && x <= LEFT + 7 && y >= TOP - 1 && y <= TOP + 7) ||
  [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => isKey(x + dx, y + dy)));
/** Irregular but always the same. */
const isDark = (x: number, y: number) =>
  (x * 7919 + y * 104729 + x * y * 31 + ((x * x * y * 13) >> 3)) % 23 < 10;
/** 0 at the centre, 1 at the middle of an edge. */
const distance = (x: number, y: number) => Math.hypot((2 * x + 1) / COLUMNS - 1, (2 * y + 1) / ROWS - 1);

const FIELD = SHADES.map((opacity, ring) => ({
  opacity,
  path: squares(
    ALL.filter(
      ([x, y]) => isDark(x, y) && !isNearKey(x, y) && Math.floor(distance(x, y) * SHADES.length) === ring,
    ),
  ),
}));

export function KeyPicture({ className }: { className?: string }) {
  return (
    <svg
      viewBox={`0 0 ${8 * COLUMNS} ${8 * ROWS}`}
      className={className}
      aria-hidden="true"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
    >
      {FIELD.map(({ opacity, path }) => (
        <path key={opacity} d={path} opacity={opacity} />
      ))}
      <path d={squares(ALL.filter(([x, y]) => isKey(x, y)))} className="text-primary" />
    </svg>
  );
}
