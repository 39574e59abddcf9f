import localFont from "next/font/local";

/**
 * The typeface of every page. One preloaded file for both weights. It is used only if it arrives immediately: a late
 * font would shift the page.
 */
export const typeface = localFont({
  src: "../../node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
  weight: "300 900",
  display: "optional",
  variable: "--font-brand",
});
