/** In a 32 × 32 square: the corner of a QR code with a keyhole in it. The first path has a hole. */
export const MARK_PATHS = [
  "M9 2h14a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7H9a7 7 0 0 1-7-7V9a7 7 0 0 1 7-7Zm.5 4A3.5 3.5 0 0 0 6 9.5v13A3.5 3.5 0 0 0 9.5 26h13a3.5 3.5 0 0 0 3.5-3.5v-13A3.5 3.5 0 0 0 22.5 6h-13Z",
  "M16 9.5a4 4 0 0 0-2.05 7.430L12.8 22.5h6.400l-1.15-5.57A4 4 0 0 0 16 9.5Z",
] as const;
