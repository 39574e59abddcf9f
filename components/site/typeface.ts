import localFont from "next/font/local";

/**
 * Both weights are in one preloaded file. The font is used only if it arrives immediately, because a late font would
 * move the page's content.
 */
export const typeface = localFont({
  src: "../../node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
  weight: "300 900",
  display: "optional",
  variable: "--font-brand",
});
